// The schema of the protocol, read from its areas: commands, arguments, results, and how results
// are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How a field is compared between two replies to the same command.
enum class Comparison : std::uint8_t {
  kExact,     ///< every bit, NaN payloads included
  kNanClass,  ///< every bit, but any NaN equals any NaN
  kTokens,    ///< texts with the same required words
  kSet,       ///< the same items in any order
  kShared,    ///< lists of dicts: only common members
  kOpaque,    ///< not compared: names, versions, handles
};

std::string_view name_of(Comparison comparison);

bool knows(std::string_view verb);

/// All commands in the schema, sorted.
const std::vector<std::string>& known_verbs();

/// The areas of these commands, sorted.
const std::vector<std::string>& known_areas();

/// Nothing if the schema has no such command or field.
std::optional<Comparison> comparison_of(std::string_view verb, std::string_view field);

/// The fields that an `ok` reply to the command must have; none for an unknown command.
const std::vector<std::string>& required_results(std::string_view verb);

/// What a command reads or changes besides the objects that it names.
enum class Touches : std::uint8_t {
  kObjects,  ///< nothing
  kThread,   ///< the state of the calling thread: modes, regions, the current device
  kProcess,  ///< state that all threads share: registrations, statistics, a simulated machine
};

Touches touches_of(std::string_view verb);

/// True if `what` is one of the words that the tables of the areas say under `minds`
/// (scripts/cmake/areas.py lists them): a change that the command does not bear.
bool minds(std::string_view verb, std::string_view what);
/// True if the command has the argument `device`, and it may be left out.
bool may_name_device(std::string_view verb);

/// The errors in the text of a command, including its blocks; empty if it is valid. Each begins
/// with a JSON pointer: `/with/lr: …`.
std::vector<std::string> validate_command(std::string_view text);

/// The errors in the text of a reply to `verb`. Fields in `blind` may be missing. The replies of a
/// block are only checked to be replies: see `validate_exchange`.
std::vector<std::string> validate_reply(std::string_view verb, std::string_view text);

/// Both, including the replies to the commands inside a block.
std::vector<std::string> validate_exchange(std::string_view command, std::string_view reply);

}  // namespace assay
