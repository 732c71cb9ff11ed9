// Ctrl-C and other signals: the run ends without waiting for the case at hand, and reports what it
// has.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "harness/subject/process/stop_signal.hpp"

namespace assay {

/// Catches what asks a program to end from now on: SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1,
/// SIGUSR2, SIGXCPU, except those that are ignored already (nohup). A second one ends the program
/// at once, unless there is a LastResort.
const StopSignal& catch_interrupts();

/// The latest of what a thread has put there, for a LastResort.
template <typename What>
class Kept {
 public:
  void put(What what) {
    const std::scoped_lock lock(mutex_);
    what_ = std::move(what);
  }
  /// Nothing where nothing was put.
  std::optional<What> get() const {
    const std::scoped_lock lock(mutex_);
    return what_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<What> what_;
};

/// While it lives, no signal ends the program before what is done is written: after the first this
/// thread has a moment to come to `begin`; where it does not, because it waits for a case in this
/// process or for someone to read what it prints, and signals go on coming, `save` is called from
/// another thread, and the program dies of the signal. One at a time, after catch_interrupts.
class LastResort {
 public:
  /// `save` writes what there is now. Where the system has no thread for it, the second signal ends
  /// the program as ever.
  explicit LastResort(std::function<void()> save);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

  /// This thread writes the records now: no signal disturbs it until `done`. Does not return where
  /// `save` was quicker.
  void begin();
  void done();

 private:
  enum class Writer { kNobody, kRun, kThis, kDone };

  void wait_for_signals();
  bool may_die_after_a_moment();

  std::function<void()> save_;
  std::atomic<Writer> writer_{Writer::kNobody};
  StopSignal ended_;
  std::thread thread_;
};

}  // namespace assay
