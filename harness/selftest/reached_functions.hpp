// Which functions of a program of mutants each case reaches, so that a mutant runs only on these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/faults.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

struct KillOptions;

class ReachedFunctions {
 public:
  /// One line for each case and contract that passed while no fault was enabled.
  struct Row {
    std::string test;
    std::string contract;
    std::int64_t milliseconds = 0;
    std::vector<std::size_t> functions;
  };

  explicit ReachedFunctions(std::vector<Row> rows);
  /// Throws std::runtime_error if the file is no recording, or UsageError if it cannot be read.
  static ReachedFunctions from_file(const std::filesystem::path& path);

  /// The cases that reach the function: under the preferred contract first, and of these the ones
  /// that reach few other functions, and are short.
  std::vector<Task> tasks_of(std::size_t function) const;

 private:
  std::vector<Row> rows_;
  std::map<std::size_t, std::vector<Task>> tasks_;
};

/// Runs all selected cases on the mutants' program without a fault, some at a time, and returns the
/// recording as lines of JSON. Throws std::runtime_error if one fails.
std::string record_reach(const KillOptions& options, unsigned jobs);

/// Rows of mutants as lines of JSON with `name` and `function`. Throws std::runtime_error.
std::vector<Fault> mutant_rows_from(std::string_view lines);

}  // namespace assay
