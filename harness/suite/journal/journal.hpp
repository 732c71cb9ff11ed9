// What a run has found so far, on disk, so that a run that is killed can go on.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/subject/process/owned_fd.hpp"
#include "harness/suite/journal/journal_lines.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// The file is not a journal, or that of another run; `what()` says which and why.
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
/// cut off. A line that is not as it was written is passed over, so that its case runs again. Links
/// are not followed.
class Journal {
 public:
  enum class Mode {
    kNew,       ///< a file that is not there, or holds nothing, or the journal of a run that ended
    kInFolder,  ///< a file in the folder `path`, with a name that nobody can foretell
    kResume     ///< goes on with what the file holds, which must be there
  };

  /// The file is not made before the first part begins. Throws JournalFailed, also when another run
  /// is writing to it, or JournalRefused; then the file is as it was.
  Journal(std::string path, Mode mode);

  /// The part of one subject, counted from 1, begins: what it found before, each case once. Throws
  /// JournalRefused when it is of another run than `key`, or has cases that are not among `tasks`.
  std::vector<CaseResult> begin(std::size_t part, const RunKey& key,
                                const std::vector<Task>& tasks);

  /// On disk, as far as the death of this process is concerned, when it returns. Throws
  /// JournalFailed.
  void add(const CaseResult& result);

  /// Of the file; of the folder as long as nothing has begun in it.
  const std::string& path() const { return path_; }
  /// Is there a file, and does it hold a case?
  bool has_cases() const { return has_cases_; }
  /// Numbers of the lines that were passed over.
  const std::vector<std::size_t>& damaged() const { return damaged_; }
  /// Everything is on the device, whatever the machine does then.
  void sync();
  /// The run has ended, so that a new one may take the file.
  void finish();
  /// It has done its service.
  void remove();

 private:
  void open(int more_flags);
  void lock();
  void look_at_what_is_there();
  void refuse_unfinished();
  void begin_file();
  void begin_file_in_folder();
  void read();
  void take(std::string_view line, std::size_t number);
  [[noreturn]] void refuse(std::size_t number, const std::string& why) const;
  void append(const std::string& line);
  [[noreturn]] void failed(const char* what) const;

  std::string path_;
  Mode mode_;
  OwnedFd file_;
  bool is_begun_ = false;
  bool has_cases_ = false;
  std::vector<std::size_t> damaged_;
  JournalParts parts_;    ///< what the file held when it was opened
  std::size_t part_ = 0;  ///< the one that is written
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace assay
