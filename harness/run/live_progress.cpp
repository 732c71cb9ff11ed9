// Shows progress; a thread updates it, because a case may take long.
#include "harness/run/live_progress.hpp"

#include <csignal>
#include <cstdlib>

namespace assay {
namespace {

using std::chrono::duration;
using Clock = std::chrono::steady_clock;

/// Zero: never updated.
Clock::duration period_for(bool terminal) {
  if (terminal) return std::chrono::milliseconds(100);
  const char* wanted = std::getenv("ASSAY_HEARTBEAT");
  const double seconds = wanted == nullptr ? 30 : std::strtod(wanted, nullptr);
  if (!(seconds > 0 && seconds < 1e6)) return Clock::duration::zero();
  return std::chrono::duration_cast<Clock::duration>(duration<double>(seconds));
}

}  // namespace

LiveProgress::LiveProgress() : period_(period_for(terminal_)), due_(begin_ + period_) {
  if (period_ > Clock::duration::zero()) begin_ticking();
}

LiveProgress::~LiveProgress() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

/// Signals must interrupt calls of the other threads, so this one blocks them.
void LiveProgress::begin_ticking() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    ticker_ = std::thread([this] { tick_until_ended(); });
  } catch (const std::system_error&) {
    // If no thread can be created, the line is updated after each case.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void LiveProgress::tick_until_ended() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const auto next = terminal_ ? Clock::now() + std::chrono::seconds(1) : due_;
    ended_changed_.wait_until(lock, next, [&] { return ended_; });
    if (!ended_) write_if_due(Clock::now());
  }
}

void LiveProgress::write_if_due(Clock::time_point now) {
  if (now < due_ || period_ == Clock::duration::zero()) return;
  due_ = now + period_;
  if (!pace_) return;
  pace_->elapsed = now - begin_;
  if (terminal_) {
    line_.show(progress_line(*pace_, columns_of_terminal(own_errors())));
  } else {
    complain("assay: " + heartbeat_line(*pace_) + "\n");
  }
}

void LiveProgress::show(Pace pace) {
  const std::scoped_lock lock(mutex_);
  pace_ = std::move(pace);
  write_if_due(Clock::now());
}

void LiveProgress::count(std::size_t commands) {
  const std::scoped_lock lock(mutex_);
  if (pace_) pace_->commands = commands;
}

void LiveProgress::clear() {
  const std::scoped_lock lock(mutex_);
  if (terminal_) pace_.reset();
  line_.clear();
}

}  // namespace assay
