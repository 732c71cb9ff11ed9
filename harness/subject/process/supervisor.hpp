// The process between the harness and a subject: whatever the subject has started ends with it.
#pragma once

#include <sys/types.h>

namespace assay {

/// What to start, and where to tell how it went. Descriptors are those of the forked process.
struct SupervisorTask {
  char* const* argv = nullptr;
  int input = -1;   ///< becomes the subject's standard input; so do the next two
  int output = -1;  ///< standard output
  int errors = -1;  ///< standard error
  /// Closed by a successful exec; otherwise gets errno, an int.
  int failure = -1;
  /// Gets the subject's pid (pid_t), and at its end, when nothing is left of what it has started,
  /// its status as wait gives it (int).
  int report = -1;
  /// Of the process that forked; with it the supervisor and all that it keeps come to their end.
  pid_t parent = -1;
};

/// What a process becomes at once after fork. The subject's descendants stay its own even where
/// they leave the subject's group or session, or outlive their parents. SIGTERM ends them all.
[[noreturn]] void keep(const SupervisorTask& task);

}  // namespace assay
