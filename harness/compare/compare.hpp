// Comparing bench records: pairs by names, tests, and verdicts.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Comparing these would say nothing; `what()` says why, and which option allows it if one does.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Rows whose full name matches the pattern have a margin of their own; of several the last counts.
struct MarginRule {
  std::string cases;     ///< a glob
  std::string quantity;  ///< a glob; empty: all
  double margin = 0;
};

struct Options {
  double alpha = 0.05;
  double margin = 0.02;
  double exact_margin = 0;  ///< of numbers that are the same every time
  std::vector<MarginRule> rules;
  std::vector<std::string> filters;  ///< globs on full names; none: all rows
  bool across_machines = false;
};

/// Fewer decide little, and a gate refuses them.
inline constexpr std::size_t kFewestProcesses = 7;

/// The first column is the baseline. Throws Invalid where the records cannot be compared, and
/// std::invalid_argument for fewer than two columns or options out of range.
Comparison compare(std::vector<Column> columns, const Options& options);

}  // namespace assay::compare
