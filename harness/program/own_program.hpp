// User-defined programs as cases: transcripts, recorded or written by hand, whose replies are
// expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// One line of such a file. Parts of the contract that are left open match any value.
struct OwnProgram {
  std::string case_id;
  std::vector<std::string> clauses;
  std::optional<Release> release;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  std::vector<std::pair<Command, Reply>> exchanges;
  std::size_t line = 0;
};

/// Reads JSON lines: a header with `"transcript": 1`, then one program per line. Throws
/// MalformedMessage with the line number and the reason; commands and replies must follow the
/// protocol's schema.
std::vector<OwnProgram> own_programs_from_lines(std::string_view text);

}  // namespace assay
