// Compares bench records: pairs by name, tests, verdicts.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// The comparison would be meaningless. `what()` gives the reason and the option that allows it.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A margin for rows whose full name matches the pattern; the last matching rule applies.
struct MarginRule {
  std::string cases;     ///< a glob
  std::string quantity;  ///< a glob; empty: all
  double margin = 0;
};

struct Options {
  double alpha = 0.05;
  double margin = 0.02;
  double exact_margin = 0;  ///< for exact numbers
  std::vector<MarginRule> rules;
  std::vector<std::string> filters;  ///< globs on full names; empty: all rows
  bool across_machines = false;
};

/// The minimum for reliable results; a gate requires it.
inline constexpr std::size_t kFewestProcesses = 7;

/// The first column is the baseline. Throws Invalid if the records cannot be compared, and
/// std::invalid_argument for fewer than two columns or options out of range.
Comparison compare(std::vector<Column> columns, const Options& options);

}  // namespace assay::compare
