// Reads and writes transcripts as JSON lines, and replies from them.
#include "harness/program/transcript.hpp"

#include <fmt/format.h>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/tree/json_tree.hpp"

namespace assay {
namespace {

JsonTree json_of(const TranscriptHeader& header) {
  return {{"transcript", 1},           {"subject", header.subject}, {"name", header.name},
          {"version", header.version}, {"devices", header.devices}, {"areas", header.areas},
          {"date", header.date},       {"command", header.command}};
}

std::string line_of(const TranscriptEntry& entry) {
  const JsonTree head = {{"case", entry.case_id},
                         {"release", name_of(entry.contract.release)},
                         {"device_rules", name_of(entry.contract.device_rules)},
                         {"deviations", name_of(entry.contract.deviations)},
                         {"outcome", entry.outcome},
                         {"program", program_hash(entry.exchanges)}};
  // Messages are inserted as text, because parsing them here would only take time.
  std::string line = head.dump();
  line.back() = ',';
  line += "\"exchanges\":[";
  for (const auto& [command, reply] : entry.exchanges) {
    if (line.back() != '[') line += ',';
    line += "[" + to_json(command) + "," + to_json(reply) + "]";
  }
  return line + "]}\n";
}

TranscriptHeader header_from(const JsonTree& json) {
  if (member_of(json, "transcript") != 1) {
    throw MalformedMessage("the version of the transcript is not supported");
  }
  TranscriptHeader header;
  const JsonMembers read(json);
  read("subject", header.subject);
  read("name", header.name);
  read("version", header.version);
  read("devices", header.devices);
  read("areas", header.areas);
  read("date", header.date);
  read("command", header.command);
  return header;
}

template <typename Member>
Member member(const JsonTree& json, const char* name,
              std::optional<Member> (*named)(std::string_view)) {
  std::string text;
  const JsonMembers read(json);
  read(name, text);
  if (const auto value = named(text)) return *value;
  throw MalformedMessage(fmt::format("'{}' cannot be '{}'", name, text));
}

TranscriptEntry entry_from(const JsonTree& json) {
  TranscriptEntry entry;
  const JsonMembers read(json);
  read("case", entry.case_id);
  entry.contract = {member(json, "release", &release_named),
                    member(json, "device_rules", &device_rules_named),
                    member(json, "deviations", &deviations_named)};
  read("outcome", entry.outcome);
  for (const auto& [command, reply] : exchanges_in(json)) {
    entry.exchanges.emplace_back(command_from_json(command), reply_from_json(reply));
  }
  if (member_of(json, "program") != program_hash(entry.exchanges)) {
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
  guard_json_lines(text);
  Transcript transcript;
  bool has_header = false;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    try {
      const JsonTree json = tree_from_json(text.substr(at, end - at));
      if (has_header)
        transcript.entries.push_back(entry_from(json));
      else
        transcript.header = header_from(json);
    } catch (const MalformedMessage& error) {
      throw MalformedMessage(fmt::format("line {}: {}", number, error.what()));
    }
    has_header = true;
    at = end + 1;
  }
  if (!has_header) throw MalformedMessage("line 1: expected a transcript's header, got nothing");
  return transcript;
}

// Playback.

Reply Playback::exchange(const Command& command) {
  if (command.id == 0 && command.verb == "hello") return hello_;
  if (command.id == 0 && command.verb == "reset") return Reply::make_ok({{"uncleaned", List{}}});
  // The cleanup of a case after the first difference is not checked.
  if (!stale_.empty()) throw RecordingMismatch(stale_);
  const std::string sent = to_json(command);
  if (next_ == exchanges_.size()) {
    stale_ = fmt::format("command {} was not recorded: {}", next_ + 1, sent);
  } else if (const std::string recorded = to_json(exchanges_[next_].first); recorded != sent) {
    stale_ = fmt::format("command {} was recorded as {}, and is now {}", next_ + 1, recorded, sent);
  }
  if (!stale_.empty()) throw RecordingMismatch(stale_);
  return exchanges_[next_++].second;
}

std::string Playback::stale() const {
  if (!stale_.empty() || next_ == exchanges_.size()) return stale_;
  return fmt::format("{} commands were recorded, and only {} are sent now", exchanges_.size(),
                     next_);
}

}  // namespace assay
