// A lock that is invisible to the thread sanitizer.
#pragma once

#include <atomic>

namespace assay::cuda::on_cpu {

/// For internal bookkeeping: a mutex would make unrelated CUDA threads appear ordered. For use with
/// std::lock_guard.
class HiddenLock {
 public:
  void lock() {
    while (is_locked_.test_and_set()) is_locked_.wait(true);
  }
  void unlock() {
    is_locked_.clear();
    is_locked_.notify_one();
  }

 private:
  std::atomic_flag is_locked_;
};

}  // namespace assay::cuda::on_cpu
