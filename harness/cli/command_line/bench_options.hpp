// The options of `assay bench`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/contenders.hpp"
#include "harness/cli/command_line/command_line.hpp"

namespace assay::cli {

struct BenchOptions {
  bench::ContenderOptions contenders;
  std::vector<std::string> words;
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  std::vector<std::string> axes;
  int processes = 0;  ///< 0: not given; the same for the next two
  int samples = 0;
  double min_time_ms = 0;
  std::string profile;  ///< `fleet`, or empty
  double precision = 0;
  double until_decided = 0;  ///< the margin at which the run may end
  std::uint64_t seed = 1;
  bool quick = false;
  bool count = false;
  bool steps = false;
  bool activity = false;
  bool no_pin = false;
  bool audit = false;
  bool audit_counts = false;
  bool list = false;
  bool goes_on = false;  ///< continue the record at `output`
  std::string output;
  std::string machine;
  std::string worker;
};

/// Adds all options except the output; they write to `options` during parsing.
void add_bench_options(CliCommand command, BenchOptions& options);

/// Sets what the profile sets, except amounts that are given. Throws a UsageError if the options do
/// not go with it.
void take_profile(BenchOptions& options);

}  // namespace assay::cli
