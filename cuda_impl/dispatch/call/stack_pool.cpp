// The thread's stacks: one for each call that is inside another.
#include "cuda_impl/dispatch/call/stack_pool.hpp"

#include <deque>

namespace assay::cuda::dispatch {
namespace {

struct Pool {
  std::deque<Stack> stacks;  // its elements stay where they are
  std::size_t used = 0;
};

Pool& pool() {
  thread_local Pool mine;
  return mine;
}

}  // namespace

PooledStack::PooledStack() {
  constexpr std::size_t kUsual = 16;
  Pool& mine = pool();
  if (mine.used == mine.stacks.size()) mine.stacks.emplace_back().reserve(kUsual);
  stack_ = &mine.stacks[mine.used++];
}

PooledStack::~PooledStack() {
  stack_->clear();
  --pool().used;
}

}  // namespace assay::cuda::dispatch
