// The barrier of a block: it waits for all threads that have not exited, and counts votes.
#include "cuda_impl/on_cpu/scheduler/barrier.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

class BlockBarrier : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, BlockBarrier, testing::ValuesIn(kEveryOrder), shown_order);

constexpr std::uint32_t kThreads = 1024;
constexpr GridRun kFullBlocks{.grid = {2, 1, 1}, .block = {kThreads, 1, 1}};

TEST_P(BlockBarrier, CountsVotes) {
  run_grid(kFullBlocks, [&] {
    const std::uint32_t me = place().linear;
    for (std::uint32_t yes : {0u, 1u, 700u, kThreads - 1, kThreads}) {
      const Votes votes = block_barrier(me < yes);
      ASSERT_EQ(votes.count, yes);
      ASSERT_EQ(votes.any, yes != 0);
      ASSERT_EQ(votes.all, yes == kThreads);
    }
  });
}

TEST_P(BlockBarrier, DoesNotWaitForThreadsThatHaveEnded) {
  std::atomic<int> passed = 0;

  run_grid({.block = {100, 1, 1}}, [&] {
    const std::uint32_t me = place().linear;
    if (me % 3 == 0) return;
    const Votes first = block_barrier(true);
    ASSERT_EQ(first.count, 66);
    ASSERT_TRUE(first.all);
    if (me % 3 == 1) return;
    ASSERT_EQ(block_barrier(true).count, 33);
    ++passed;
  });

  EXPECT_EQ(passed, 33);
}

TEST_P(BlockBarrier, ThatNotAllReachIsReportedWithCounts) {
  const auto body = [] {
    const std::uint32_t me = place().linear;
    if (me == 10) return;
    if (me < 4 && me != 1) {
      warp_exchange(0xf, 0, true);
    } else {
      block_barrier(false);
    }
  };

  EXPECT_EQ(fault_of({.block = {64, 1, 1}}, body),
            "deadlock: 60 threads at a block barrier, 3 at a warp operation, 1 finished (block "
            "(0,0,0))");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
