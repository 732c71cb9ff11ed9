// Writes a comparison as text, Markdown, CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// The exit code, line and findings of the command.
struct Outcome {
  std::vector<std::string> argv;
  int exit_code = 0;
  std::string line;  ///< the last printed line; begins with the verdict
  struct Finding {
    std::string kind;  ///< `regression`, `win`, `missing`, …
    std::string text;  ///< a sentence
    bool fails = false;
  };
  bool is_gate = false;
  std::vector<Finding> findings;  ///< findings of a gate
};

/// A table for each quantity of each subject, followed by the notes.
std::string to_text(const Comparison& comparison);

/// The same for a pull request, with the outcome first.
std::string to_markdown(const Comparison& comparison, const Outcome& outcome);

/// One line for each pair of numbers, after a header line.
std::string to_csv(const Comparison& comparison);

/// Follows results/schema/compare-1.json. Throws std::logic_error if the result would not.
std::string to_json(const Comparison& comparison, const Outcome& outcome);

/// `margin 2 %, alpha 0.05, 20 tests corrected for together`
std::string rules_of(const Comparison& comparison);

/// Formats `0.02` as `2 %`.
std::string percent(double share);

}  // namespace assay::compare
