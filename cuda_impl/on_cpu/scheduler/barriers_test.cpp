// Barriers: they wait for the threads that they must, and count votes.
#include "cuda_impl/on_cpu/scheduler/barriers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

class Barrier : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, Barrier, testing::ValuesIn(kEveryOrder), shown_order);

constexpr std::uint32_t kThreads = 1024;
constexpr GridRun kFullBlocks{.grid = {2, 1, 1}, .block = {kThreads, 1, 1}};

TEST_P(Barrier, CountsVotes) {
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

TEST_P(Barrier, DoesNotWaitForThreadsThatHaveEnded) {
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

TEST_P(Barrier, OfANumberIsOneOfItsOwn) {
  run_grid({.block = {128, 1, 1}}, [&] {
    const std::uint32_t half = place().linear / 64;
    for (std::uint32_t round = 0; round < 5 + half * 5; ++round) {
      ASSERT_EQ(block_barrier(true, 1 + half, 64).count, 64);
    }
    ASSERT_EQ(block_barrier(true, 15).count, 128);
  });
}

TEST_P(Barrier, LetsProducersArriveWithoutWaiting) {
  std::vector<int> produced(64);

  run_grid({.block = {128, 1, 1}}, [&] {
    const std::uint32_t me = place().linear;
    if (me < 64) {
      produced[me] = 1;
      arrive_at_barrier(3, 128);
      return;
    }
    block_barrier(false, 3, 128);
    ASSERT_EQ(produced, std::vector<int>(64, 1));
  });
}

TEST(BarrierFault, OfNumbersAndCountsThatDoNotExist) {
  constexpr GridRun kWarps{.block = {64, 1, 1}};

  EXPECT_EQ(fault_of(kWarps, [] { block_barrier(false, 16); }),
            "barriers are 0 to 15, got 16 (block (0,0,0), thread (0,0,0))");
  EXPECT_EQ(fault_of(kWarps, [] { block_barrier(false, 1, 96); }),
            "a barrier's thread count must be a multiple of 32 and at most the block's 64, got 96 "
            "(block (0,0,0), thread (0,0,0))");
  EXPECT_EQ(fault_of(kWarps, [] { block_barrier(false, 1, 33); }),
            "a barrier's thread count must be a multiple of 32 and at most the block's 64, got 33 "
            "(block (0,0,0), thread (0,0,0))");
  EXPECT_EQ(fault_of(kWarps, [] { arrive_at_barrier(1, 0); }),
            "arriving without waiting needs a thread count (block (0,0,0), thread (0,0,0))");
}

TEST(BarrierFault, OfThreadsThatDisagreeOnTheCount) {
  const auto body = [] { block_barrier(false, 2, place().linear < 32 ? 64 : 0); };

  EXPECT_EQ(fault_of({.block = {64, 1, 1}}, body),
            "barrier 2 was to wait for 64 threads, now for all threads (block (0,0,0), thread "
            "(32,0,0))");
}

TEST_P(Barrier, ThatNotAllReachIsReportedWithCounts) {
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
