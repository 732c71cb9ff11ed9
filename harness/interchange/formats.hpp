// Converts records of costs to and from the formats of other tools.
#pragma once

#include <string>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::interchange {

/// The converted text, and the measurements that the format cannot express.
struct Exported {
  std::string text;
  std::vector<std::string> left_out;  ///< one line each: measurement and reason
};

/// In the format of `--benchmark_out_format=json`: one repetition per process, with the median of
/// its samples. Measurements without a number have `error_occurred`.
Exported to_google_json(const report::BenchRecord& record);

/// The format of Go's benchmarks, for benchstat: one line per process.
Exported to_go_text(const report::BenchRecord& record);

struct File {
  std::string name;
  std::string text;
};

/// True if the member names are those of Google Benchmark or NVBench.
bool is_google_json(const std::string& text);
bool is_nvbench_json(const std::string& text);

/// A record from files that Google Benchmark wrote, each in a fresh process of one program. A file
/// is a process and its repetitions are samples, because repetitions in one process are not
/// independent. Throws std::runtime_error, with the file's name first, for anything else.
report::BenchRecord from_google_json(const std::vector<File>& files);

/// The same for NVBench, whose files have one number per state and clock: the median of the
/// samples, or their mean if there is no median.
report::BenchRecord from_nvbench_json(const std::vector<File>& files);

}  // namespace assay::interchange
