// Reading programs that users bring.
#include "harness/program/own_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

void check_header(const Json& json) {
  if (json.is_object() && json.value("transcript", Json()) == 1) return;
  throw MalformedMessage(R"(expected a header with "transcript": 1)");
}

/// `amp/mine/name`: small letters, digits, dots and underscores between slashes.
std::string id_from(const Json& json) {
  const std::string id = json.at("case");
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
std::optional<Member> member(const Json& json, const char* name,
                             std::optional<Member> (*named)(std::string_view)) {
  if (!json.contains(name)) return std::nullopt;
  const std::string text = json.at(name);
  if (const auto value = named(text)) return value;
  throw MalformedMessage(fmt::format("'{}' cannot be '{}'", name, text));
}

std::pair<Command, Reply> exchange_from(const Json& pair, std::size_t number) {
  if (!pair.is_array() || pair.size() != 2) {
    throw MalformedMessage(fmt::format("exchange {}: expected [command, reply]", number));
  }
  const std::string command = pair[0].dump(), reply = pair[1].dump();
  if (const auto errors = validate_exchange(command, reply); !errors.empty()) {
    throw MalformedMessage(fmt::format("exchange {}: {}", number, errors.front()));
  }
  return {command_from_json(command), reply_from_json(reply)};
}

OwnProgram program_from(const Json& json) {
  OwnProgram program;
  program.case_id = id_from(json);
  program.clauses = json.value("clauses", std::vector<std::string>{});
  program.release = member(json, "release", &release_named);
  program.device_rules = member(json, "device_rules", &device_rules_named);
  program.deviations = member(json, "deviations", &deviations_named);
  for (const Json& pair : json.at("exchanges")) {
    program.exchanges.push_back(exchange_from(pair, program.exchanges.size() + 1));
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
      guard_json(line);
      const Json json = Json::parse(line);
      if (has_header) {
        programs.push_back(program_from(json));
        programs.back().line = number;
      } else {
        check_header(json);
      }
    } catch (const std::exception& error) {
      throw MalformedMessage(fmt::format("{}: {}", number, error.what()));
    }
    has_header = true;
  }
  if (!has_header) throw MalformedMessage(R"(1: expected a header with "transcript": 1)");
  return programs;
}

}  // namespace assay
