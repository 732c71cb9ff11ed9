// A child process with pipes for its standard streams, which does not outlive its parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/subject/process/owned_fd.hpp"

namespace assay {

/// `died of SIGSEGV`, `ended with status 3`, for a status from wait.
std::string end_in_words(int status);

/// The parent's ends of the pipes are non-blocking.
class ChildProcess {
 public:
  /// Throws std::runtime_error with the reason if the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& argv);
  /// Closes the pipes, gives the child a short time to exit, and otherwise kills it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  OwnedFd& input() { return input_; }
  OwnedFd& output() { return output_; }
  OwnedFd& errors() { return errors_; }
  pid_t pid() const { return pid_; }
  /// Becomes readable when the child has ended, even if its descendants keep its pipes
  /// open.
  const OwnedFd& end() const { return report_; }

  /// `died of SIGSEGV`, `ended with status 3`; nothing if it still runs after `patience`. All its
  /// descendants have ended too.
  std::optional<std::string> wait(std::chrono::milliseconds patience);
  /// Kills the child and all its descendants.
  void kill();

 private:
  std::string end_without_supervisor() const;

  OwnedFd input_;
  OwnedFd output_;
  OwnedFd errors_;
  OwnedFd report_;         ///< from the supervisor
  pid_t supervisor_ = -1;  ///< the process between this one and the child
  pid_t pid_ = -1;
  std::optional<std::string> end_;
};

}  // namespace assay
