// A child with pipes on its three standard streams, which does not outlive its parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// A file descriptor that is closed with its owner.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// The parent's ends of the pipes do not block.
class ChildProcess {
 public:
  /// Throws std::runtime_error that says why the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& argv);
  /// Closes the pipes, waits a moment for the child to end by itself, and kills it otherwise.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  OwnedFd& input() { return input_; }
  OwnedFd& output() { return output_; }
  OwnedFd& errors() { return errors_; }
  pid_t pid() const { return pid_; }
  /// Becomes readable when the child ends, even where something it has started holds its pipes.
  const OwnedFd& end() const { return end_fd_; }

  /// `died of SIGSEGV`, `ended with status 3`; nothing when it still runs after `patience`. What it
  /// has started ends with it.
  std::optional<std::string> wait(std::chrono::milliseconds patience);
  /// The child and whatever it has started.
  void kill();

 private:
  OwnedFd input_;
  OwnedFd output_;
  OwnedFd errors_;
  OwnedFd end_fd_;
  pid_t pid_ = -1;
  std::optional<std::string> end_;
};

}  // namespace assay
