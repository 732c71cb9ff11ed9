// A library in this process can end it (exit, _exit, a signal), so the process runs as the child of
// a supervisor that knows its progress.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace assay {

/// What the child was running.
struct RunPosition {
  std::size_t part = 0;  ///< counted from 1; 0: no case had started
  std::string journal;
  std::string case_id;  ///< empty between cases, and after the last
};

/// How and where a program ended prematurely.
struct Loss {
  std::string how;  ///< `ended with status 0`, `died of SIGSEGV`, `was stopped by a signal`
  RunPosition where;
};

struct SupervisedResult {
  int exit_code = 0;
  /// Set if the child ended differently than by returning from `program`.
  std::optional<Loss> loss;
};

/// Runs `program` in a child process and forwards signals to it. If the child dies of a forwarded
/// signal, this process dies of it too. A child that does not end after a signal gets it again, and
/// is killed at last. A child that cannot end any more is killed: a library has stopped it, or has
/// ended its main thread. Must be called before any thread is started. Text that
/// a library in the child writes to standard output or standard error is shown on standard error
/// with control characters made harmless. Under a debugger, `program` runs in this process.
SupervisedResult run_supervised(const std::function<int()>& program);

/// In the child: ends it if a library has replaced or closed the descriptors by which this program
/// reports and prints. Writing to a foreign pipe could wait forever.
void end_if_disturbed();

/// Reports to the supervisor from the child, after `end_if_disturbed`; does nothing in other
/// processes.
void report_to_supervisor(const RunPosition& where);

}  // namespace assay
