// A library in this process can end it (exit, _exit, a signal): so the process is the child of one
// that knows how far it came.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace assay {

/// What the child was doing.
struct Whereabouts {
  std::size_t part = 0;  ///< of the run, counted from 1; 0: it did not come to its cases
  std::string journal;
  std::string case_id;  ///< empty between cases, and behind the last
};

/// A program that did not come to its end.
struct Loss {
  std::string how;  ///< `ended with status 0`, `died of SIGSEGV`
  Whereabouts where;
};

struct GuardedEnd {
  int exit_code = 0;
  /// Its own end was another than what `program` came to.
  std::optional<Loss> loss;
};

/// Runs `program` in a child, which gets the signals that this process gets. Where the child dies
/// of one of them, so does this process. Call before there are threads. What
/// a library in the child writes to standard output or standard error is shown on standard error,
/// as text and no more. Under a debugger there is no child.
GuardedEnd run_guarded(const std::function<int()>& program);

/// In the child; elsewhere nothing.
void tell_guardian(const Whereabouts& where);

}  // namespace assay
