// A request to stop, which can be polled and waited for.
#pragma once

#include <atomic>

namespace assay {

/// Set once, from any thread or signal handler.
class StopSignal {
 public:
  /// Throws std::system_error if no descriptor is available.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void set() noexcept;
  bool is_set() const { return set_.load(); }
  /// Readable once the signal is set.
  int fd() const { return fd_; }

 private:
  std::atomic<bool> set_{false};
  int fd_ = -1;
};

/// A wait ended because of a StopSignal. Not a std::exception, so that handlers of failures do not
/// catch it.
struct Interrupted {};

}  // namespace assay
