// The record that `assay bench` writes: the machine, the build and all measurements.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/subject/process/owned_fd.hpp"

namespace assay::cli {

/// The GPUs of this machine, as NVIDIA's management library tells of them; none without it.
std::vector<report::BenchDevice> devices_here();

/// A record without subjects and measurements. `machine` is the user's name for it; if empty, its
/// CPU and number of cores are used.
report::BenchRecord begun(const bench::Plan& plan, const std::vector<std::string>& argv, bool quick,
                          const std::string& machine);

/// Adds the measurements and everything computed from them. `seconds` are added to those already
/// recorded; `named` are the subjects that the user named.
report::BenchRecord finished(report::BenchRecord record, bench::Measured measured, double seconds,
                             const std::vector<std::string>& named);

/// The destination of a record; without a path nothing is written.
/// Where signals end a bench, two threads write.
class BenchOutput {
 public:
  explicit BenchOutput(std::string path) : path_(std::move(path)) {}

  /// The record's path, given that path or the path of its partial file.
  static std::string path_of(const std::string& path);

  /// Throws UsageError if another bench is writing to the path; none can while this lives.
  void claim();
  /// While the bench runs: writes a partial file beside the record, so that a killed bench loses
  /// nothing and an existing record is kept.
  void keep(const report::BenchRecord& record);
  /// Writes the record and removes the partial file.
  void write(const report::BenchRecord& record);
  /// The record of an interrupted bench. Throws UsageError if there is none.
  report::BenchRecord left() const;
  /// Throws UsageError if there is a partial record of a killed bench, which is not to be
  /// overwritten.
  void refuse_partial_record() const;

 private:
  static constexpr const char* kPartial = ".partial";

  std::string path_;
  OwnedFd claim_;
  std::mutex mutex_;
  bool is_written_ = false;
};

}  // namespace assay::cli
