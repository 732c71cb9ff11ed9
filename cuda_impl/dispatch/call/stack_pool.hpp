// Stacks for typed calls that reach a boxed kernel: kept by the thread, so that they take memory
// once.
#pragma once

#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

/// A stack that is empty, for as long as this lives.
class PooledStack {
 public:
  PooledStack();
  ~PooledStack();
  PooledStack(const PooledStack&) = delete;
  PooledStack& operator=(const PooledStack&) = delete;

  Stack& operator*() { return *stack_; }
  Stack* operator->() { return stack_; }

 private:
  Stack* stack_;
};

}  // namespace assay::cuda::dispatch
