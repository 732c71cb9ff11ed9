// SIGPIPE is sent to the writing thread, so it can be blocked and removed there.
#include "harness/subject/quiet_write.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace assay {
namespace {

sigset_t only_sigpipe() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGPIPE);
  return set;
}

bool sigpipe_is_pending() {
  sigset_t pending;
  ::sigpending(&pending);
  return ::sigismember(&pending, SIGPIPE) == 1;
}

/// Removes the pending signal.
void take_pending_signal(const sigset_t& set) {
  constexpr timespec kAtOnce{};
  while (::sigtimedwait(&set, nullptr, &kAtOnce) < 0 && errno == EINTR) continue;
}

}  // namespace

ssize_t quiet_write(int fd, std::string_view bytes) {
  const sigset_t set = only_sigpipe();
  sigset_t former;
  ::pthread_sigmask(SIG_BLOCK, &set, &former);
  // A signal that was not blocked cannot be pending.
  const bool was_pending = ::sigismember(&former, SIGPIPE) == 1 && sigpipe_is_pending();
  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  const int reason = errno;
  if (written < 0 && reason == EPIPE && !was_pending) take_pending_signal(set);
  ::pthread_sigmask(SIG_SETMASK, &former, nullptr);
  errno = reason;
  return written;
}

}  // namespace assay
