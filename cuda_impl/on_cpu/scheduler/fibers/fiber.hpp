// A stack of its own for CUDA threads that wait for others.
#pragma once

#include <cstddef>

#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

/// Something that can be left and gone back to: a fiber, or the thread of the host that runs them.
struct Context {
  void* stack_pointer = nullptr;
  void* fake_stack = nullptr;  ///< the address sanitizer's
  void* tsan_fiber = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
};

class Fiber : public Context {
 public:
  /// `number` shifts where stacks begin, so that not all of them want the same lines of the cache.
  explicit Fiber(std::size_t number);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next switch to it calls `entry` on an empty stack.
  void prepare(void (*entry)());
  /// As the thread sanitizer's reports will call it.
  void name(const Dim3& block_index, const Dim3& thread_index);

 private:
  std::byte* memory_;
  std::size_t shift_;
};

/// Goes from one to the other; returns when somebody comes back.
void switch_context(Context& from, Context& to);
/// The same for a fiber whose stack is not needed any more.
[[noreturn]] void leave_context(Context& from, Context& to);
/// First thing on a fresh stack: `from` is who switched here.
void arrive_on_stack(Context& from);

}  // namespace assay::cuda::on_cpu
