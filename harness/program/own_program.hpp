// Programs that users bring as cases: a transcript written by hand or recorded, whose replies are
// what is expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// One line of such a file. What the contract leaves open, the program holds for either way.
struct OwnProgram {
  std::string case_id;
  std::vector<std::string> clauses;
  std::optional<Release> release;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  std::vector<std::pair<Command, Reply>> exchanges;
  std::size_t line = 0;
};

/// Reads JSON lines: a header with `"transcript": 1`, then a program a line. Throws
/// MalformedMessage with the number of the line and the reason; commands and replies must keep to
/// the schema of the waist.
std::vector<OwnProgram> own_programs_from_lines(std::string_view text);

}  // namespace assay
