// What `assay bench` writes: a record of the machine, the build and all that was measured.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/bench/session.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::cli {

/// A record without subjects and measurements. `machine` is what the user calls it; empty: its CPU
/// and number of cores.
report::BenchRecord begun(const bench::Plan& plan, const std::vector<std::string>& argv, bool quick,
                          const std::string& machine);

/// The same with what was measured, and what follows from it. `seconds` come to those that there
/// are; `named` are the subjects that the user has asked for.
report::BenchRecord finished(report::BenchRecord record, bench::Measured measured, double seconds,
                             const std::vector<std::string>& named);

/// Where a record goes; nowhere, where there is no path.
class BenchOutput {
 public:
  explicit BenchOutput(std::string path) : path_(std::move(path)) {}

  /// Where the record goes, of a path that may be that of the file beside it.
  static std::string path_of(const std::string& path);

  /// While the bench runs: into a file beside the record, so that nothing is lost where the bench
  /// is killed, and what was at the path stays.
  void keep(const report::BenchRecord& record) const;
  /// In place of what was kept.
  void write(const report::BenchRecord& record) const;
  /// What a bench has left there that did not come to its end. Throws UsageError.
  report::BenchRecord left() const;
  /// Throws UsageError where a bench that was killed has left something: it is not overwritten
  /// unasked.
  void refuse_what_is_left() const;

 private:
  static constexpr const char* kPartial = ".partial";

  std::string path_;
};

}  // namespace assay::cli
