// The wish that everything come to its end: can be looked at, and waited for.
#pragma once

#include <atomic>

namespace assay {

/// Set once, from any thread or signal handler.
class StopSignal {
 public:
  /// Throws std::system_error when the system has no more descriptors.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void set() noexcept;
  bool is_set() const { return set_.load(); }
  /// Readable once it is set.
  int fd() const { return fd_; }

 private:
  std::atomic<bool> set_{false};
  int fd_ = -1;
};

/// A wait was given up because of a StopSignal. No std::exception: it is nobody's failure, and no
/// handler of failures may take it for one.
struct Interrupted {};

}  // namespace assay
