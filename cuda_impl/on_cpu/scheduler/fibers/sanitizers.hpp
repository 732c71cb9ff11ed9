// Tells the sanitizers which CUDA thread runs and how threads are ordered. Has no effect without a
// sanitizer, where the functions below are absent.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __tsan_atomic64_store(volatile std::uint64_t* address, std::uint64_t value,
                                         int order);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom,
                                                   std::size_t* old_size);
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t size);
}

namespace assay::cuda::on_cpu {

inline bool has_thread_sanitizer() { return &__tsan_create_fiber != nullptr; }
inline bool has_address_sanitizer() { return &__asan_poison_memory_region != nullptr; }

/// For the scope, hides the accesses of this thread (bookkeeping) from the thread sanitizer.
class Quiet {
 public:
  Quiet() {
    if (!has_thread_sanitizer()) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Quiet() {
    if (!has_thread_sanitizer()) return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

/// Suspends exactly one Quiet of this thread for the scope.
class NotQuiet {
 public:
  NotQuiet() {
    if (!has_thread_sanitizer()) return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  ~NotQuiet() {
    if (!has_thread_sanitizer()) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  NotQuiet(const NotQuiet&) = delete;
  NotQuiet& operator=(const NotQuiet&) = delete;
};

/// A synchronization point: a release happens before later acquires. Used inside Quiet.
class SyncPoint {
 public:
  /// Discards earlier releases: the object is reused, and its former users would otherwise appear
  /// ordered with the new ones.
  void open() {
    constexpr int kReleaseOrder = 3;
    if (has_thread_sanitizer()) __tsan_atomic64_store(&word_, 0, kReleaseOrder);
  }
  void release() {
    if (has_thread_sanitizer()) __tsan_release(&word_);
  }
  void acquire() {
    if (has_thread_sanitizer()) __tsan_acquire(&word_);
  }

 private:
  std::uint64_t word_ = 0;
};

inline void poison_memory(const void* begin, std::size_t size) {
  if (has_address_sanitizer()) __asan_poison_memory_region(begin, size);
}

inline void unpoison_memory(const void* begin, std::size_t size) {
  if (has_address_sanitizer()) __asan_unpoison_memory_region(begin, size);
}

}  // namespace assay::cuda::on_cpu
