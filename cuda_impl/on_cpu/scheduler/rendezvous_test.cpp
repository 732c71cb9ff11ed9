// Barriers, and warp operations: lanes wait for the lanes that they name, and exchange values.
#include "cuda_impl/on_cpu/scheduler/rendezvous.hpp"

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

constexpr std::uint32_t kFull = 0xffffffff;
constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

class Warp : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, Warp, testing::ValuesIn(kEveryOrder), shown_order);

TEST_P(Warp, GoesOnWithoutLanesThatHaveExited) {
  run_grid({.block = {64, 1, 1}}, [&] {
    const std::uint32_t lane = place().lane();
    if (lane >= 20) return;
    Exchange got = warp_exchange(kFull, lane, false);
    ASSERT_EQ(got.lanes, (1u << 20) - 1);
    ASSERT_EQ(got.deposits[19], 19);
    ASSERT_EQ(got.deposits[20], kAbsent);
    if (lane % 2 == 1) return;
    got = warp_exchange(kFull, lane, true);
    ASSERT_EQ(got.lanes, 0x55555);
  });
}

TEST_P(Warp, WaitsForLanesThatAreInASmallerPart) {
  run_grid({.block = {32, 1, 1}}, [&] {
    const std::uint32_t lane = place().lane();
    if (lane < 4) {
      const Exchange got = warp_exchange(0xf, lane, false);
      ASSERT_EQ(got.deposits[3], 3);
    }
    const Exchange got = warp_exchange(kFull, lane + 100, false);
    ASSERT_EQ(got.deposits[0], 100);
    ASSERT_EQ(got.deposits[31], 131);
  });
}

TEST_P(Warp, KeepsResultsApartWhereLanesMeetInManyWays) {
  run_grid({.block = {64, 1, 1}}, [&] {
    const std::uint32_t lane = place().lane();
    for (std::uint32_t distance = 1; distance < 32; ++distance) {
      const std::uint32_t other = lane ^ distance;
      const Exchange got = warp_exchange(1u << lane | 1u << other, lane * 64 + distance, false);
      ASSERT_EQ(got.deposits[other], other * 64 + distance);
    }
  });
}

TEST(WarpFault, OfALaneThatIsNotInItsOwnMask) {
  const auto body = [] { warp_exchange(0xfffffffe, 0, false); };

  EXPECT_EQ(fault_of({.block = {32, 1, 1}}, body),
            "a lane is not in the mask that it names (block (0,0,0), thread (0,0,0))");
}

TEST(WarpFault, OfLanesThatWaitForEachOtherWithDifferentMasks) {
  const auto body = [] { warp_exchange(place().lane() == 5 ? 0xffff : kFull, 0, false); };

  EXPECT_EQ(fault_of({.block = {32, 1, 1}}, body),
            "lanes of one warp wait for each other with different masks (block (0,0,0), thread "
            "(5,0,0))");
}

TEST(WarpFault, OfLanesThatMeetInDifferentOperations) {
  const auto body = [] { warp_exchange(kFull, 0, place().lane() == 7); };

  EXPECT_EQ(fault_of({.block = {32, 1, 1}}, body),
            "lanes of one warp meet in different operations (block (0,0,0), thread (7,0,0))");
}

TEST_P(Warp, ThatWaitsForALaneElsewhereIsReportedWithCounts) {
  const auto body = [] {
    if (place().lane() == 0) {
      block_barrier(false);
    } else {
      warp_exchange(kFull, 0, true);
    }
  };

  EXPECT_EQ(fault_of({.block = {32, 1, 1}}, body),
            "deadlock: 1 threads at a block barrier, 31 at a warp operation, 0 finished (block "
            "(0,0,0))");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
