// Reads user-defined programs.
#include "harness/program/own_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/protocol/utf8.hpp"

namespace assay {
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
std::optional<Member> member(const JsonTree& json, const char* name,
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
  program.release = member(json, "release", &release_named);
  program.device_rules = member(json, "device_rules", &device_rules_named);
  program.deviations = member(json, "deviations", &deviations_named);
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
