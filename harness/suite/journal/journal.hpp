// The results of a run so far, on disk, so that a killed run can be continued.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/subject/process/owned_fd.hpp"
#include "harness/suite/journal/journal_lines.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// The file is not a journal, or belongs to another run; `what()` states which and why.
class JournalRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The file cannot be read or written.
class JournalFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file with one line per finished case, and one part per subject of the run. Text after
/// the last line break was being written when the run was killed, and is truncated.
/// Damaged lines are skipped, so that their cases run again. Symbolic links are not
/// followed.
class Journal {
 public:
  enum class Mode {
    kNew,       ///< a file that does not exist, is empty, or is the journal of a finished run
    kInFolder,  ///< a file with an unpredictable name in the folder `path`
    kResume,    ///< continues the existing file
    /// As kResume if the file is the journal of an unfinished run, else as kNew. If that run turns
    /// out to be another one than this, its journal is renamed, and this run begins a new one.
    kContinue
  };

  /// The file is created when the first part begins. Throws JournalFailed, also if another run is
  /// writing to it, or JournalRefused, also if there is nothing to continue; the file is unchanged
  /// then.
  Journal(std::string path, Mode mode);

  /// Begins the part of one subject, counted from 1. Returns its earlier results, one per case.
  /// Throws JournalRefused if it has another key than `key`, or cases that are not in `tasks`.
  std::vector<CaseResult> begin(std::size_t part, const RunKey& key,
                                const std::vector<Task>& tasks);

  /// On return, the result survives the death of this process. Throws
  /// JournalFailed.
  void add(const CaseResult& result);

  /// The path of the file, or of its folder before the first part begins.
  const std::string& path() const { return path_; }
  /// True if the file exists and contains a case.
  bool has_cases() const { return has_cases_; }
  /// With kContinue: why the file was renamed, and to what; empty if it was not.
  const std::string& set_aside() const { return set_aside_; }
  /// The numbers of the lines that were skipped.
  const std::vector<std::size_t>& damaged() const { return damaged_; }
  /// Writes everything to the device, so that it survives a power failure.
  void sync();
  /// Marks the run as finished, so that a new run may overwrite the file. If it was `successful`,
  /// in that all parts have run, and no case is left, the file cannot be resumed.
  void finish(bool successful);
  /// Deletes the file.
  void remove();

 private:
  void open(int more_flags);
  void lock();
  void refuse_unfinished_file();
  void refuse_unfinished();
  bool opens_unfinished_file();
  void rename_for(const std::string& why);
  void begin_file();
  void begin_file_in_folder();
  void read();
  void take(std::string_view line, std::size_t number);
  [[noreturn]] void refuse(std::size_t number, const std::string& why) const;
  void append(const std::string& line);
  void refuse_other_file() const;
  [[noreturn]] void failed(const char* what) const;

  std::string path_;
  Mode mode_;
  OwnedFd file_;
  std::uint64_t inode_ = 0;  ///< of the file when it was opened
  bool is_begun_ = false;
  bool has_cases_ = false;
  std::size_t left_ = 0;  ///< cases of the parts that have begun, without a result
  std::vector<std::size_t> damaged_;
  std::string set_aside_;
  JournalParts parts_;    ///< the file's contents when opened
  std::size_t part_ = 0;  ///< the part being written
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace assay
