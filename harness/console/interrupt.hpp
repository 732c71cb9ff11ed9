// Handles Ctrl-C and other signals: the run ends without waiting for the current case, and reports
// its results.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "harness/subject/process/stop_signal.hpp"

namespace assay {

/// Handles the signals that ask a program to end: SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1,
/// SIGUSR2, SIGXCPU, except those that are ignored already (nohup). A second signal ends the
/// program immediately, unless there is a SaveOnSignal.
const StopSignal& catch_interrupts();

/// The latest value stored by a thread, for a SaveOnSignal.
template <typename What>
class LatestValue {
 public:
  void put(What what) {
    const std::scoped_lock lock(mutex_);
    what_ = std::move(what);
  }
  /// Nothing if no value was stored.
  std::optional<What> get() const {
    const std::scoped_lock lock(mutex_);
    return what_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<What> what_;
};

/// While it exists, no signal ends the program before the results are written. After the first
/// signal this thread has a short time to reach `begin`. If it does not, because it waits for a
/// case in this process or for a reader of its output, and more signals arrive, another thread
/// calls `save` and the program dies of the signal. At most one may exist, after catch_interrupts.
class SaveOnSignal {
 public:
  /// `save` writes the results so far. If no thread can be created, the second signal ends the
  /// program as usual.
  explicit SaveOnSignal(std::function<void()> save);
  ~SaveOnSignal();
  SaveOnSignal(const SaveOnSignal&) = delete;
  SaveOnSignal& operator=(const SaveOnSignal&) = delete;

  /// This thread writes the records now; signals have no effect until `done`. Does not return if
  /// `save` has started already.
  void begin();
  void done();

 private:
  enum class Writer { kNone, kRun, kThis, kDone };

  void wait_for_signals();
  bool may_die_after_a_moment();

  std::function<void()> save_;
  std::atomic<Writer> writer_{Writer::kNone};
  StopSignal ended_;
  std::thread thread_;
};

}  // namespace assay
