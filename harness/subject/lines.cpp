// Splits bytes into lines, and writes without SIGPIPE.
#include "harness/subject/lines.hpp"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <utility>

namespace assay {
namespace {

/// A larger buffer is not kept for the next line.
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

}  // namespace

void LineBuffer::append(std::string_view bytes) {
  compact();
  if (discarding_) {
    const auto line_break = bytes.find('\n');
    if (line_break == std::string_view::npos) return;
    discarding_ = false;
    bytes.remove_prefix(line_break + 1);
  }
  bytes_ += bytes;
  const bool too_long =
      bytes_.size() > most_bytes_ && bytes_.find('\n', scanned_) == std::string::npos;
  if (!too_long) return;
  bytes_.clear();
  scanned_ = 0;
  compact();
  discarding_ = true;
  overflowed_ = true;
}

std::optional<std::string_view> LineBuffer::next() {
  const auto line_break = bytes_.find('\n', scanned_);
  if (line_break == std::string::npos) {
    compact();
    scanned_ = bytes_.size();
    return std::nullopt;
  }
  std::string_view line(bytes_.data() + begin_, line_break - begin_);
  begin_ = scanned_ = line_break + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool LineBuffer::overflowed() { return std::exchange(overflowed_, false); }

void LineBuffer::compact() {
  if (begin_ == 0 && !bytes_.empty()) return;
  bytes_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  if (bytes_.capacity() <= kKeptBytes || bytes_.size() > kKeptBytes / 2) return;
  bytes_.shrink_to_fit();
  malloc_trim(0);
}

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
