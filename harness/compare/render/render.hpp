// A comparison as text, Markdown, CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// What the command said about the comparison.
struct Outcome {
  std::vector<std::string> argv;
  int exit_code = 0;
  std::string line;  ///< the last that is printed; it opens with the verdict
  struct Finding {
    std::string kind;  ///< `regression`, `win`, `missing`, …
    std::string text;  ///< a sentence
    bool fails = false;
  };
  bool is_gate = false;
  std::vector<Finding> findings;  ///< of a gate
};

/// A table for each quantity of each subject, then what qualifies the numbers.
std::string to_text(const Comparison& comparison);

/// The same as a page for a pull request, with the outcome first.
std::string to_markdown(const Comparison& comparison, const Outcome& outcome);

/// A line for each pair of numbers, under a line of names.
std::string to_csv(const Comparison& comparison);

/// As results/schema/compare-1.json says. Throws std::logic_error where it cannot be written so.
std::string to_json(const Comparison& comparison, const Outcome& outcome);

/// `margin 2 %, alpha 0.05, 20 tests corrected for together`
std::string rules_of(const Comparison& comparison);

/// `0.02` is `2 %`.
std::string percent(double share);

}  // namespace assay::compare
