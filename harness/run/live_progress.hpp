// The progress of a run while it goes on: a line that renews itself on a terminal, else one now and
// then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "harness/console/terminal.hpp"
#include "harness/show/pace.hpp"

namespace assay {

/// Writes to standard error. Where that is not a terminal, a line every 30 seconds, or every
/// ASSAY_HEARTBEAT seconds; with 0 none.
class LiveProgress {
 public:
  LiveProgress();
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  /// The run as it is now; `elapsed` is counted here.
  void show(Pace pace);
  /// Call before anything else is printed; the line comes back with the next `show`.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void begin_ticking();
  void tick_until_ended();
  void write_if_due(Clock::time_point now);

  const bool terminal_ = is_terminal(own_errors());
  const Clock::duration period_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;  ///< of all below
  std::condition_variable ended_changed_;
  bool ended_ = false;
  Clock::time_point due_;
  std::optional<Pace> pace_;  ///< absent: nothing to show
  Progress line_;
  std::thread ticker_;
};

}  // namespace assay
