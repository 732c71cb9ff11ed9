// A child with pipes on its three standard streams, which does not outlive its parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/subject/process/owned_fd.hpp"

namespace assay {

/// `died of SIGSEGV`, `ended with status 3`, of a status that wait gave.
std::string end_in_words(int status);

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
  /// Becomes readable when the child has ended, even where something that it has started held its
  /// pipes.
  const OwnedFd& end() const { return report_; }

  /// `died of SIGSEGV`, `ended with status 3`; nothing when it still runs after `patience`. What it
  /// has started has ended too, wherever it went.
  std::optional<std::string> wait(std::chrono::milliseconds patience);
  /// The child and whatever it has started.
  void kill();

 private:
  std::string end_without_supervisor() const;

  OwnedFd input_;
  OwnedFd output_;
  OwnedFd errors_;
  OwnedFd report_;         ///< of the supervisor
  pid_t supervisor_ = -1;  ///< the process between this one and the child
  pid_t pid_ = -1;
  std::optional<std::string> end_;
};

}  // namespace assay
