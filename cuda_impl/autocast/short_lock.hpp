// A lock for critical sections of a few instructions.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace assay::cuda::autocast {

/// Locking costs one atomic read-modify-write, unlocking a plain store. A waiting thread spins, and
/// sleeps from time to time, because the owner may be preempted.
class ShortLock {
 public:
  void lock() {
    if (is_taken_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      wait();
  }
  void unlock() { is_taken_.store(false, std::memory_order_release); }

 private:
  [[gnu::noinline, gnu::cold]] void wait() {
    constexpr int kLooks = 100;
    constexpr std::chrono::microseconds kNap{20};
    for (int looks = 1; is_taken_.load(std::memory_order_relaxed) ||
                        is_taken_.exchange(true, std::memory_order_acquire);
         ++looks) {
      if (looks % kLooks == 0) std::this_thread::sleep_for(kNap);
    }
  }

  std::atomic<bool> is_taken_ = false;
};

}  // namespace assay::cuda::autocast
