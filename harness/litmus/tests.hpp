// From the names that a user types to litmus programs.
#pragma once

#include <string>
#include <vector>

#include "harness/check/litmus.hpp"

namespace assay {

struct LitmusTest {
  std::string id;
  std::string name;
  litmus::Program program;
  std::vector<std::string> axioms;
  std::vector<std::string> kills;
};

/// Every row for no name; else those that a name means: an id (`LT-04`, `LT-15` for both of its
/// rows), part of a row's name in any case, or a file with a program. `gated`: the gated forms.
/// Throws UsageError, with suggestions.
std::vector<LitmusTest> litmus_tests(const std::vector<std::string>& names, bool gated);

/// A line for each row: id, name, program.
std::string litmus_list(bool json);

}  // namespace assay
