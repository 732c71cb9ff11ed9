// Converts the results of a run to a record, also before it ends, and writes the files in which it
// is recorded.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

// The files.

/// Empty paths are not written.
struct RecordFiles {
  std::string json, junit, markdown;
};

/// Throws report::CannotWrite.
void write_record(const RecordFiles& files, const report::RunRecord& run);

/// In a workflow of GitHub, prints annotations.
void annotate(const report::RunRecord& run);

// The results of a part.

/// `line` is the verdict line as printed.
report::SubjectRecord record_of(const SubjectRun& run, const ClauseCount& clauses,
                                const std::string& line);

// The results of a run so far, for records that are written before it ends.

/// Written by the run, readable from any thread.
class PartialResults {
 public:
  /// Runs in front of the callbacks in `options`, those of one part; must outlive that part.
  void watch(const std::string& label, RunSubjectOptions& options);
  /// Adds the record of a part that has ended; a part that was left out has none.
  void add(report::SubjectRecord record);
  void leave_out();
  /// Notes a part that cannot run because its device is absent.
  void add_absent(const std::string& label);

  /// The records of the finished parts, and of the current part as if it were interrupted now.
  std::vector<report::SubjectRecord> records() const;
  /// The labels of the parts without their device.
  std::vector<std::string> absent() const;

 private:
  mutable std::mutex mutex_;
  std::vector<report::SubjectRecord> ended_;
  std::vector<std::string> absent_;
  std::string label_;  ///< label of the current part; empty if there is none
  SubjectRun run_;
};

}  // namespace assay
