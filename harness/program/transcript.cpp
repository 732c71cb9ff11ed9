// Reads and writes transcripts as JSON lines, replies from them, and reads user-defined programs.
#include "harness/program/transcript.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/protocol/utf8.hpp"

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

// Users' own programs.

namespace {

constexpr std::array<std::string_view, 8> kHeader{"transcript", "subject", "name", "version",
                                                  "devices",    "areas",   "date", "command"};
constexpr std::array<std::string_view, 8> kProgram{
    "case", "clauses", "release", "device_rules", "deviations", "outcome", "program", "exchanges"};

/// A misspelt member would be ignored, and with it what it was to say.
void refuse_unknown_members(const JsonTree& json, std::span<const std::string_view> known) {
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw MalformedMessage(fmt::format("unknown member '{}'; the members are {}", printable(name),
                                       fmt::join(known, ", ")));
  }
}

void check_header(const JsonTree& json) {
  if (!json.is_object() || json.value("transcript", JsonTree()) != 1) {
    throw MalformedMessage(R"(expected a header with "transcript": 1)");
  }
  refuse_unknown_members(json, kHeader);
}

/// `amp/mine/name`: lower-case letters, digits, dots and underscores between slashes.
std::string id_from(const JsonTree& json) {
  std::string id;
  const JsonMembers read(json);
  read("case", id);
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/';
  };
  const bool good = std::all_of(id.begin(), id.end(), fits) && id.find('/') != std::string::npos &&
                    id.find("//") == std::string::npos && id.front() != '/' && id.back() != '/';
  if (good) return id;
  throw MalformedMessage(
      fmt::format("'case' is '{}'; expected an area and a name, such as amp/mine/doubles", id));
}

template <typename Member>
std::optional<Member> optional_member(const JsonTree& json, const char* name,
                                      std::optional<Member> (*named)(std::string_view)) {
  if (!json.contains(name)) return std::nullopt;
  std::string text;
  const JsonMembers read(json);
  read(name, text);
  if (const auto value = named(text)) return value;
  throw MalformedMessage(fmt::format("'{}' cannot be '{}'", name, text));
}

/// Such a reply says that nothing was done, so a case that expects it expects nothing.
void refuse_no_answer(const Reply& reply, std::size_t number) {
  for (const auto& [status, word] : {std::pair(Reply::Status::kInvalid, "invalid"),
                                     std::pair(Reply::Status::kUnsupported, "unsupported")}) {
    if (reply.status != status) continue;
    throw MalformedMessage(fmt::format(
        "exchange {}: a case cannot expect '{}', which is no answer of the runtime", number, word));
  }
  for (const Reply& inner : reply.replies) refuse_no_answer(inner, number);
}

bool hides_all_it_has(const Reply& reply) {
  return reply.status == Reply::Status::kOk && reply.ok.empty() && reply.counts.empty() &&
         reply.warnings.empty() && !reply.blind.empty();
}

/// A reply of nothing but fields that its recorder could not see is met by any other.
void refuse_hidden_answers(const OwnProgram& program) {
  if (program.exchanges.empty()) return;
  for (const auto& [command, reply] : program.exchanges) {
    if (!hides_all_it_has(reply)) return;
  }
  throw MalformedMessage("a case cannot expect only what the recorded subject is blind to");
}

std::pair<Command, Reply> exchange_from(const std::string& command, const std::string& reply,
                                        std::size_t number) {
  if (const auto errors = validate_exchange(command, reply); !errors.empty()) {
    throw MalformedMessage(fmt::format("exchange {}: {}", number, errors.front()));
  }
  std::pair<Command, Reply> exchange{command_from_json(command), reply_from_json(reply)};
  refuse_no_answer(exchange.second, number);
  return exchange;
}

OwnProgram program_from(const JsonTree& json) {
  OwnProgram program;
  program.case_id = id_from(json);
  refuse_unknown_members(json, kProgram);
  const JsonMembers read(json);
  read.if_there("clauses", program.clauses);
  program.release = optional_member(json, "release", &release_named);
  program.device_rules = optional_member(json, "device_rules", &device_rules_named);
  program.deviations = optional_member(json, "deviations", &deviations_named);
  for (const auto& [command, reply] : exchanges_in(json)) {
    program.exchanges.push_back(exchange_from(command, reply, program.exchanges.size() + 1));
  }
  refuse_hidden_answers(program);
  if (program.exchanges.empty())
    throw MalformedMessage("'exchanges' is empty: nothing is expected");
  if (json.contains("program") && json.at("program") != program_hash(program.exchanges)) {
    throw MalformedMessage("the commands do not have the hash in 'program'; leave that out");
  }
  return program;
}

}  // namespace

std::vector<OwnProgram> own_programs_from_lines(std::string_view text) {
  guard_json_lines(text);
  std::vector<OwnProgram> programs;
  bool has_header = false;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const JsonTree json = tree_from_json(line);
      if (has_header) {
        programs.push_back(program_from(json));
        programs.back().line = number;
      } else {
        check_header(json);
      }
    } catch (const MalformedMessage& error) {
      throw MalformedMessage(fmt::format("{}: {}", number, error.what()));
    }
    has_header = true;
  }
  if (!has_header) throw MalformedMessage(R"(1: expected a header with "transcript": 1)");
  if (programs.empty()) throw MalformedMessage("1: there is no case below the header");
  return programs;
}

}  // namespace assay
