// What a run has found so far, for records that are written before its end.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// Filled by the run, read from any thread.
class SoFar {
 public:
  /// Puts itself before the callbacks of `options`, which are those of one part; must outlive it.
  void watch(const std::string& label, RunSubjectOptions& options);
  /// That part has come to its end, and this is its record; or it is left out, and has none.
  void add(report::SubjectRecord record);
  void leave_out();

  /// Of the parts that have ended, and of the one at hand as it would be if it were interrupted.
  std::vector<report::SubjectRecord> records() const;

 private:
  mutable std::mutex mutex_;
  std::vector<report::SubjectRecord> ended_;
  std::string label_;  ///< of the part at hand; empty where there is none
  SubjectRun run_;
};

}  // namespace assay
