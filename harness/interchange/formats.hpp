// Records of costs in the formats of other tools, and back.
#pragma once

#include <string>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::interchange {

/// What another tool can read, and what it cannot be told.
struct Exported {
  std::string text;
  std::vector<std::string> left_out;  ///< a line each: the measurement and why
};

/// As `--benchmark_out_format=json` writes it: a repetition for each process, with the median of
/// its samples. What has no number stands there with `error_occurred`.
Exported to_google_json(const report::BenchRecord& record);

/// The format of Go's benchmarks, which benchstat reads: a line for each process.
Exported to_go_text(const report::BenchRecord& record);

struct File {
  std::string name;
  std::string text;
};

/// Whether Google Benchmark, or NVBench, wrote the text, as far as the names in it tell.
bool is_google_json(const std::string& text);
bool is_nvbench_json(const std::string& text);

/// A record of files that Google Benchmark wrote, each in a fresh process of one program: a file is
/// a process, and its repetitions are samples, for repetitions in one process replicate nothing.
/// Throws std::runtime_error, which begins with the file's name, for anything else.
report::BenchRecord from_google_json(const std::vector<File>& files);

/// The same of NVBench, whose file has one number for a state and a clock: the median of its
/// samples, or their mean where it wrote no median.
report::BenchRecord from_nvbench_json(const std::vector<File>& files);

}  // namespace assay::interchange
