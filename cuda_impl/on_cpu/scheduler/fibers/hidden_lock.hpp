// A lock that the thread sanitizer does not see.
#pragma once

#include <atomic>

namespace assay::cuda::on_cpu {

/// For the scheduler's own bookkeeping: through a mutex, CUDA threads that have nothing to do with
/// each other would look ordered. For std::lock_guard.
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
