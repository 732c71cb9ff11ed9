// Fibers: stacks for CUDA threads that wait.
#pragma once

#include <cstddef>

#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

/// A context that can be suspended and resumed: a fiber, or the host thread that runs fibers.
struct Context {
  void* stack_pointer = nullptr;
  void* fake_stack = nullptr;  ///< of the address sanitizer
  void* tsan_fiber = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
};

class Fiber : public Context {
 public:
  /// `number` offsets the stack, so that stacks do not compete for the same cache lines.
  explicit Fiber(std::size_t number);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next switch to the fiber calls `entry` on an empty stack.
  void prepare(void (*entry)());
  /// Sets the name that the thread sanitizer reports.
  void name(const Dim3& block_index, const Dim3& thread_index);

 private:
  std::byte* memory_;
  std::size_t shift_;
};

/// Suspends `from` and resumes `to`; returns when `from` is resumed.
void switch_context(Context& from, Context& to);
/// The same if the stack of `from` is no longer needed.
[[noreturn]] void leave_context(Context& from, Context& to);
/// Call first on a new stack; `from` is the context that switched to it.
void arrive_on_stack(Context& from);

}  // namespace assay::cuda::on_cpu
