// Reads user-defined programs.
#include "harness/program/own_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/tree/json_tree.hpp"

namespace assay {
namespace {

void check_header(const JsonTree& json) {
  if (json.is_object() && json.value("transcript", JsonTree()) == 1) return;
  throw MalformedMessage(R"(expected a header with "transcript": 1)");
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

std::pair<Command, Reply> exchange_from(const std::string& command, const std::string& reply,
                                        std::size_t number) {
  if (const auto errors = validate_exchange(command, reply); !errors.empty()) {
    throw MalformedMessage(fmt::format("exchange {}: {}", number, errors.front()));
  }
  return {command_from_json(command), reply_from_json(reply)};
}

OwnProgram program_from(const JsonTree& json) {
  OwnProgram program;
  program.case_id = id_from(json);
  const JsonMembers read(json);
  read.if_there("clauses", program.clauses);
  program.release = member(json, "release", &release_named);
  program.device_rules = member(json, "device_rules", &device_rules_named);
  program.deviations = member(json, "deviations", &deviations_named);
  for (const auto& [command, reply] : exchanges_in(json)) {
    program.exchanges.push_back(exchange_from(command, reply, program.exchanges.size() + 1));
  }
  if (program.exchanges.empty())
    throw MalformedMessage("'exchanges' is empty: nothing is expected");
  if (json.contains("program") && json.at("program") != program_hash(program.exchanges)) {
    throw MalformedMessage("the commands do not have the hash in 'program'; leave that out");
  }
  return program;
}

}  // namespace

std::vector<OwnProgram> own_programs_from_lines(std::string_view text) {
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
  return programs;
}

}  // namespace assay
