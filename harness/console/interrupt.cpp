// Installs and implements the signal handlers.
#include "harness/console/interrupt.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include "harness/console/terminal.hpp"

namespace assay {
namespace {

constexpr std::array kCaught{SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
/// Enough time for a run whose subject is another process to reach its records.
constexpr int kMomentMs = 1000;

/// Never destroyed, because a signal may arrive at any time. The same applies to the other.
StopSignal* interruption = nullptr;
/// Counts the signals after the first.
int repeated_signals = -1;
std::atomic<bool> has_last_resort{false};
std::atomic<int> latest{0};

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler sets it");

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void handle_all(void (*handler)(int)) {
  for (const int number : kCaught) {
    if (!is_ignored(number)) handle(number, handler);
  }
}

void count_repeated_signal() {
  const int reason = errno;  // errno of the interrupted code
  constexpr std::uint64_t kOne = 1;
  [[maybe_unused]] const auto written = ::write(repeated_signals, &kOne, sizeof kOne);
  errno = reason;
}

void on_signal(int number) {
  // Each further line written to a closed pipe would raise another signal.
  if (number == SIGPIPE) handle(SIGPIPE, SIG_IGN);
  const bool is_first = !interruption->is_set();
  latest.store(number);
  interruption->set();
  if (!has_last_resort.load()) {
    handle_all(SIG_DFL);
  } else if (!is_first) {
    count_repeated_signal();
  }
}

[[noreturn]] void die_of(int number) {
  handle(number, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, number);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::kill(::getpid(), number);
  for (;;) ::pause();
}

bool is_readable(int fd, int patience_ms) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, patience_ms) > 0 && (one.revents & POLLIN) != 0;
}

void forget(int event) {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(event, &count, sizeof count);
}

}  // namespace

const StopSignal& catch_interrupts() {
  if (interruption == nullptr) {
    interruption = new StopSignal;
    repeated_signals = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  handle_all(on_signal);
  return *interruption;
}

SaveOnSignal::SaveOnSignal(std::function<void()> save) : save_(std::move(save)) {
  if (repeated_signals < 0) return;
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { wait_for_signals(); });
    has_last_resort = true;
  } catch (const std::system_error&) {
    // The second signal ends the program, as documented at the constructor.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // The first signal may have arrived in the meantime.
  if (has_last_resort) handle_all(on_signal);
}

SaveOnSignal::~SaveOnSignal() {
  has_last_resort = false;
  ended_.set();
  // If a library has closed the event, the thread can no longer be woken.
  const bool hears = is_readable(ended_.fd(), 0);
  if (thread_.joinable()) hears ? thread_.join() : thread_.detach();
  if (interruption->is_set()) handle_all(SIG_DFL);
}

void SaveOnSignal::begin() {
  Writer expected = Writer::kNone;
  if (writer_.compare_exchange_strong(expected, Writer::kRun)) return;
  for (;;) ::pause();
}

void SaveOnSignal::done() { writer_ = Writer::kDone; }

/// False if the run has reached its records, or its end, in time.
bool SaveOnSignal::may_die_after_a_moment() {
  if (writer_ == Writer::kDone) return true;  // someone wants it to end, and it still prints
  if (writer_ == Writer::kRun || is_readable(ended_.fd(), kMomentMs)) return false;
  Writer expected = Writer::kNone;
  if (!writer_.compare_exchange_strong(expected, Writer::kThis)) return false;
  try {
    save_();
  } catch (const std::exception& error) {
    complain(std::string("assay: ") + error.what() + "\n");
  }
  return true;
}

void SaveOnSignal::wait_for_signals() {
  for (;;) {
    std::array<pollfd, 2> fds{pollfd{ended_.fd(), POLLIN, 0}, pollfd{repeated_signals, POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    if (fds[0].revents != 0) return;
    const bool dies = may_die_after_a_moment();
    if (dies) die_of(latest.load());
    forget(repeated_signals);
  }
}

}  // namespace assay
