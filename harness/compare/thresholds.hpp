// The thresholds file of a gate: which differences count, and which findings fail; and shares, in
// which margins are given.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/compare/compare.hpp"

namespace assay::compare {

/// `2%`, `2 %` and `0.02` give 0.02. Nothing for text that is not a number, negative numbers, and
/// bare numbers of 1 or more, which were probably meant as percentages.
std::optional<double> share_from_text(std::string_view text);

/// The findings that a gate can be configured to fail on. Failed loops and missing cases always
/// fail.
enum class FailOn : std::uint8_t { kRegression, kWin, kChanged, kUndecided, kNew };

/// `regression`, `win`, …
std::string_view name_of(FailOn kind);

struct Thresholds {
  double alpha = 0.05;
  double margin = 0;
  double exact_margin = 0;
  std::set<FailOn> fail_on;
  std::vector<MarginRule> rules;
  std::vector<std::string> places;         ///< positions of the rules: `gate.toml:7`
  std::vector<std::string> allow_missing;  ///< patterns of cases that the candidate may lack
};

/// The file must state its schema, a margin and what fails, including regressions. Throws Invalid,
/// with `name` and the position, for anything else, including unknown keys.
Thresholds thresholds_from_toml(std::string_view text, std::string_view name);

}  // namespace assay::compare
