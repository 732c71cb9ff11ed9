// What a run has found so far, on disk, so that a run that is killed can go on.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/subject/owned_fd.hpp"
#include "harness/suite/journal_lines.hpp"
#include "harness/suite/selection.hpp"

namespace assay {

/// The file is no journal, or that of another run; `what()` says which and why.
class JournalRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The file cannot be read or written.
class JournalFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file of lines, to which each finished case adds one. A run on several subjects has a part for
/// each. What stands behind the last line break was being written when the run was killed, and is
/// cut off. A line that is not as it was written is passed over, so that its case runs again.
class Journal {
 public:
  enum class Mode { kNew, kResume };

  /// kNew empties the file, kResume goes on with what it holds; where there is none yet, both begin
  /// it. Throws JournalFailed, also when another run is writing to it, or JournalRefused.
  Journal(std::string path, Mode mode);

  /// The part of one subject, counted from 1, begins: what it found before, each case once. Throws
  /// JournalRefused when it is of another run than `key`, or has cases that are not among `tasks`.
  std::vector<CaseResult> begin(std::size_t part, const RunKey& key,
                                const std::vector<Task>& tasks);

  /// On disk, as far as the death of this process is concerned, when it returns. Throws
  /// JournalFailed.
  void add(const CaseResult& result);

  const std::string& path() const { return path_; }
  /// Numbers of the lines that were passed over.
  const std::vector<std::size_t>& damaged() const { return damaged_; }
  /// Everything is on the device, whatever the machine does then.
  void sync();
  /// It has done its service.
  void remove();

 private:
  void read();
  void take(std::string_view line, std::size_t number);
  [[noreturn]] void refuse(std::size_t number, const std::string& why) const;
  void append(const std::string& line);
  [[noreturn]] void failed(const char* what) const;

  std::string path_;
  OwnedFd file_;
  std::vector<std::size_t> damaged_;
  JournalParts parts_;    ///< what the file held when it was opened
  std::size_t part_ = 0;  ///< the one that is written
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace assay
