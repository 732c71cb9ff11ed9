// Implements StopSignal with a flag and an event descriptor.
#include "harness/subject/process/stop_signal.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace assay {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

StopSignal::StopSignal() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make an event");
}

StopSignal::~StopSignal() { ::close(fd_); }

void StopSignal::set() noexcept {
  const int reason = errno;  // errno of the interrupted code
  set_.store(true);
  constexpr std::uint64_t kOne = 1;
  [[maybe_unused]] const auto written = ::write(fd_, &kOne, sizeof kOne);
  errno = reason;
}

}  // namespace assay
