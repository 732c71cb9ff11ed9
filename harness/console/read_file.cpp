// Reads whole files.
#include "harness/console/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "harness/console/usage_error.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostBytes = std::size_t{128} << 20;
/// The limit for devices: /dev/zero is endless, and no text typed at a terminal is longer.
constexpr std::size_t kMostBytesOfDevice = std::size_t{1} << 20;

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw UsageError(fmt::format("cannot read {}: {}", path, why));
}

/// A file that is open for reading. Reading never blocks forever, except on a pipe that a process
/// keeps open without writing.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
    if (file_ < 0) cannot_read(path_, std::strerror(errno));
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(file_); }

  std::string everything() {
    const std::size_t most = is_a(S_IFCHR) ? kMostBytesOfDevice : kMostBytes;
    std::string text;
    while (const std::size_t count = next_chunk()) {
      text.append(chunk_.data(), count);
      if (text.size() > most) cannot_read(path_, fmt::format("it has more than {} bytes", most));
    }
    return text;
  }

 private:
  /// The number of bytes in `chunk_`; 0 at the end.
  std::size_t next_chunk() {
    for (;;) {
      const ssize_t count = read(file_, chunk_.data(), chunk_.size());
      if (count > 0 || (count == 0 && !waits_for_writer())) {
        has_begun_ = true;
        return static_cast<std::size_t>(count);
      }
      if (count == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      } else if (errno == EAGAIN) {
        has_begun_ = true;  // a writer exists
        pollfd waiting{file_, POLLIN, 0};
        poll(&waiting, 1, -1);
      } else if (errno != EINTR) {
        cannot_read(path_, errno == EISDIR ? "it is a folder" : std::strerror(errno));
      }
    }
  }

  /// True while no process has opened this pipe for writing. Gives up after a time limit.
  bool waits_for_writer() const {
    if (has_begun_ || !is_a(S_IFIFO)) return false;
    pollfd hung_up{file_, POLLIN, 0};
    if (poll(&hung_up, 1, 0) > 0) return false;
    if (std::chrono::steady_clock::now() > end_)
      cannot_read(path_, "no process writes to this pipe");
    return true;
  }

  bool is_a(mode_t kind) const {
    struct stat status {};
    return fstat(file_, &status) == 0 && (status.st_mode & S_IFMT) == kind;
  }

  const std::string& path_;
  int file_;
  bool has_begun_ = false;
  std::array<char, 1 << 16> chunk_;
  const std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(10);
};

}  // namespace

std::string read_file(const std::string& path) { return OpenFile(path).everything(); }

}  // namespace assay
