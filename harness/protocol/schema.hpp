// The schema of the waist, read from its areas: which commands there are, what they take, what they
// answer, and how answers are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How two replies to the same command are compared, field by field.
enum class Comparison : std::uint8_t {
  kExact,     ///< every bit, NaN payloads included
  kNanClass,  ///< every bit, but any NaN equals any NaN
  kTokens,    ///< texts that hold the same required words
  kSet,       ///< the same items in any order
  kShared,    ///< dicts in a list: what both know of each
  kOpaque,    ///< not at all: names, versions, handles
};

std::string_view name_of(Comparison comparison);

bool knows(std::string_view verb);

/// Every command that the schema describes, sorted.
const std::vector<std::string>& known_verbs();

/// Nothing when the schema has no such command, or the command no such field.
std::optional<Comparison> comparison_of(std::string_view verb, std::string_view field);

/// What is wrong with the text of a command, its blocks included; empty when nothing is. Each error
/// opens with a JSON pointer: `/with/lr: …`.
std::vector<std::string> validate_command(std::string_view text);

/// What is wrong with the text of a reply to `verb`. Fields named in `blind` may be missing. The
/// replies of a block are only checked to be replies: see `validate_exchange`.
std::vector<std::string> validate_reply(std::string_view verb, std::string_view text);

/// Both, and the reply of each command inside a block.
std::vector<std::string> validate_exchange(std::string_view command, std::string_view reply);

}  // namespace assay
