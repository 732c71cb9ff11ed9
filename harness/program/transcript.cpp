// Transcripts as JSON lines.
#include "harness/program/transcript.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const TranscriptHeader& header) {
  return {{"transcript", 1},           {"subject", header.subject}, {"name", header.name},
          {"version", header.version}, {"devices", header.devices}, {"areas", header.areas},
          {"date", header.date},       {"command", header.command}};
}

std::string line_of(const TranscriptEntry& entry) {
  const Json head = {{"case", entry.case_id},
                     {"release", name_of(entry.contract.release)},
                     {"device_rules", name_of(entry.contract.device_rules)},
                     {"deviations", name_of(entry.contract.deviations)},
                     {"outcome", entry.outcome},
                     {"program", program_hash(entry.exchanges)}};
  // The messages are put in as they were written: parsing them here would only cost time.
  std::string line = head.dump();
  line.back() = ',';
  line += "\"exchanges\":[";
  for (const auto& [command, reply] : entry.exchanges) {
    if (line.back() != '[') line += ',';
    line += "[" + to_json(command) + "," + to_json(reply) + "]";
  }
  return line + "]}\n";
}

TranscriptHeader header_from(const Json& json) {
  if (json.at("transcript") != 1) throw MalformedMessage("the transcript is of another version");
  return {json.at("subject"), json.at("name"), json.at("version"), json.at("devices"),
          json.at("areas"),   json.at("date"), json.at("command")};
}

template <typename Member>
Member member(const Json& json, const char* name,
              std::optional<Member> (*named)(std::string_view)) {
  const std::string text = json.at(name);
  if (const auto value = named(text)) return *value;
  throw MalformedMessage(fmt::format("'{}' cannot be '{}'", name, text));
}

TranscriptEntry entry_from(const Json& json) {
  TranscriptEntry entry;
  entry.case_id = json.at("case");
  entry.contract = {member(json, "release", &release_named),
                    member(json, "device_rules", &device_rules_named),
                    member(json, "deviations", &deviations_named)};
  entry.outcome = json.at("outcome");
  for (const Json& pair : json.at("exchanges")) {
    entry.exchanges.emplace_back(command_from_json(pair.at(0).dump()),
                                 reply_from_json(pair.at(1).dump()));
  }
  if (program_hash(entry.exchanges) != json.at("program").get<std::string>()) {
    throw MalformedMessage(entry.case_id + ": the program does not have the hash recorded with it");
  }
  return entry;
}

}  // namespace

std::string program_hash(const std::vector<std::pair<Command, Reply>>& exchanges) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const auto& [command, reply] : exchanges) {
    for (const char c : to_json(command) + "\n") {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  }
  return fmt::format("{:016x}", hash);
}

std::string to_lines(const Transcript& transcript) {
  std::string lines = json_of(transcript.header).dump() + "\n";
  for (const TranscriptEntry& entry : transcript.entries) lines += line_of(entry);
  return lines;
}

Transcript transcript_from_lines(std::string_view text) {
  Transcript transcript;
  bool has_header = false;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    try {
      guard_json(text.substr(at, end - at));
      const Json json = Json::parse(text.substr(at, end - at));
      if (has_header)
        transcript.entries.push_back(entry_from(json));
      else
        transcript.header = header_from(json);
    } catch (const std::exception& error) {
      throw MalformedMessage(fmt::format("line {}: {}", number, error.what()));
    }
    has_header = true;
    at = end + 1;
  }
  if (!has_header) throw MalformedMessage("line 1: expected a transcript's header, got nothing");
  return transcript;
}

}  // namespace assay
