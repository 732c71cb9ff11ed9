// Creates the stacks of a thread and frees them when it ends.
#include "cuda_impl/dispatch/call/stack_pool.hpp"

#include <utility>

namespace assay::cuda::dispatch {

thread_local constinit StackPool stack_pool;

namespace {

struct FreesAtEnd {
  FreesAtEnd() = default;
  ~FreesAtEnd() {
    for (std::uint32_t i = 0; i < stack_pool.made; ++i) delete stack_pool.stacks[i];
    stack_pool = {};
  }
  FreesAtEnd(const FreesAtEnd&) = delete;
  FreesAtEnd& operator=(const FreesAtEnd&) = delete;
};

}  // namespace

void push_tensor(Stack& stack, const Tensor& tensor) { stack.emplace_back(tensor); }
void push_tensor(Stack& stack, Tensor&& tensor) { stack.emplace_back(std::move(tensor)); }

void PooledStack::make_another() {
  constexpr std::size_t kUsual = 16;
  thread_local const FreesAtEnd frees;
  require(stack_pool.made < StackPool::kMost, ErrorKind::kInternal, [] {
    return "typed calls of boxed kernels are more than " + std::to_string(StackPool::kMost) +
           " deep";
  });
  auto made = std::make_unique<Stack>();
  made->reserve(kUsual);
  stack_pool.stacks[stack_pool.made++] = made.release();
}

}  // namespace assay::cuda::dispatch
