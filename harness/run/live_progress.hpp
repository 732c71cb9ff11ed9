// The progress of a run: a line that is updated on a terminal, or a new line from time to time
// elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "harness/console/terminal.hpp"
#include "harness/show/pace.hpp"

namespace assay {

/// Writes to standard error. If that is not a terminal: one line every 30 seconds, or every
/// ASSAY_HEARTBEAT seconds; none for 0.
class LiveProgress {
 public:
  LiveProgress();
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  /// Shows the current state; sets `elapsed` itself.
  void show(Pace pace);
  /// Updates the number of the current case's answered commands. Thread-safe.
  void count(std::size_t commands);
  /// Must be called before anything else is printed; the next `show` prints the line again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void begin_ticking();
  void tick_until_ended();
  void write_if_due(Clock::time_point now);

  const bool terminal_ = is_terminal(own_errors());
  const Clock::duration period_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;  ///< guards all members below
  std::condition_variable ended_changed_;
  bool ended_ = false;
  Clock::time_point due_;
  std::optional<Pace> pace_;  ///< absent: nothing to show
  Progress line_;
  std::thread ticker_;
};

}  // namespace assay
