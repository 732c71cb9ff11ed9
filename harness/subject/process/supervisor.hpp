// The process between the harness and a subject, which ends all descendants of the subject.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace assay {

/// The program to start, and where to report. Descriptors are those of the forked process.
struct SupervisorTask {
  char* const* argv = nullptr;
  /// The CPUs on which both run.
  cpu_set_t cpus;
  int input = -1;   ///< becomes the subject's standard input; so do the next two
  int output = -1;  ///< standard output
  int errors = -1;  ///< standard error
  /// Closed by a successful exec; otherwise receives errno (int).
  int failure = -1;
  /// Receives the subject's pid (pid_t) and, after all its descendants have ended, its status as
  /// returned by wait (int).
  int report = -1;
  /// The process that forked; when it ends, so do the supervisor and everything below it.
  pid_t parent = -1;
};

/// Called directly after fork. Keeps track of the subject's descendants even if they leave its
/// group or session, or outlive their parents. SIGTERM ends them all.
[[noreturn]] void keep(const SupervisorTask& task);

}  // namespace assay
