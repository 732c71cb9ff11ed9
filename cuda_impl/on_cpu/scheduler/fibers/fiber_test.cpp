// Stacks: large enough for a kernel's locals, and guarded where they end.
#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// Uses a kilobyte of the stack for each step.
[[gnu::noinline]] std::uint32_t descend(std::uint32_t steps) {
  volatile char local[1024];
  local[0] = static_cast<char>(steps);
  const std::uint32_t below = steps == 0 ? 0 : descend(steps - 1);
  return below + (local[0] == static_cast<char>(steps) ? 1 : 0);
}

TEST(Stack, HoldsAHundredKilobytesOfEachThread) {
  std::atomic<std::uint32_t> intact = 0;

  run_grid({.block = {8, 1, 1}}, [&] {
    block_barrier(false);
    intact += descend(99);
    block_barrier(false);
  });

  EXPECT_EQ(intact, 800);
}

TEST(StackDeathTest, EndsTheProcessWhenItOverflows) {
  const WithOptions alone({.workers = 1});

  EXPECT_DEATH(run_grid({}, [] { descend(100000); }), "");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
