// A per-thread pool of stacks for typed calls of boxed kernels, to avoid an allocation in each
// call.
#pragma once

#include <array>
#include <cstdint>

#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

/// The thread's stacks, one for each level of nested calls.
struct StackPool {
  static constexpr std::uint32_t kMost = 1024;

  std::uint32_t used = 0;
  std::uint32_t made = 0;
  std::array<Stack*, kMost> stacks = {};
};
extern thread_local constinit StackPool stack_pool [[gnu::tls_model("initial-exec")]];

/// Constructs a box in its place on top of the stack.
void push_tensor(Stack& stack, const Tensor& tensor);
void push_tensor(Stack& stack, Tensor&& tensor);

/// An empty stack from the pool, for the scope.
class PooledStack {
 public:
  PooledStack() {
    StackPool& pool = stack_pool;
    if (pool.used == pool.made) [[unlikely]]
      make_another();
    stack_ = pool.stacks[pool.used++];
  }
  ~PooledStack() {
    stack_->clear();
    --stack_pool.used;
  }
  PooledStack(const PooledStack&) = delete;
  PooledStack& operator=(const PooledStack&) = delete;

  Stack& operator*() { return *stack_; }
  Stack* operator->() { return stack_; }

 private:
  /// Raises `internal` if the nesting is too deep (infinite recursion).
  static void make_another();

  Stack* stack_;
};

}  // namespace assay::cuda::dispatch
