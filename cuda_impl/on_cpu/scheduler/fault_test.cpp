// Faults: their messages, and that the next grid is not affected.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr GridRun kRun{.grid = {4, 2, 1}, .block = {8, 8, 2}};

class Fault : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, Fault, testing::ValuesIn(kEveryOrder), shown_order);

TEST_P(Fault, NamesBlockAndThread) {
  const auto body = [] {
    const ThreadPlace at = place();
    block_barrier(false);
    if (at.block_index == Dim3{3, 1, 0} && at.linear == 8 * 8 + 2 * 8 + 5) kernel_fault("trap");
    block_barrier(false);
  };

  EXPECT_EQ(fault_of(kRun, body), "trap (block (3,1,0), thread (5,2,1))");
}

/// A misaligned access is found where the compiler expects no exception.
TEST_P(Fault, EndsAThreadInAFunctionThatMustNotThrow) {
  const auto fault = []() noexcept { end_faulty_thread("misaligned access of a thread"); };
  const auto body = [&] {
    const ThreadPlace at = place();
    block_barrier(false);
    if (at.block_index == Dim3{3, 1, 0} && at.linear == 69) fault();
    block_barrier(false);
  };

  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(fault_of(kRun, body),
              "misaligned access of a thread (block (3,1,0), thread (5,0,1))");
  }
  EXPECT_EQ(fault_of({}, fault), "misaligned access of a thread (block (0,0,0), thread (0,0,0))");
}

TEST_P(Fault, CanBeTakenApart) {
  try {
    run_grid({}, [] { kernel_fault("an address that is not aligned"); });
    FAIL() << "no fault";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.reason(), "an address that is not aligned");
    EXPECT_EQ(fault.block_index(), (Dim3{0, 0, 0}));
  }
}

TEST_P(Fault, IsWhatAnExceptionOfTheBodyBecomes) {
  const auto standard = [] {
    if (place().linear == 127 && place().block_index == Dim3{}) return;
    if (place().linear == 1 && place().block_index == Dim3{2, 1, 0}) throw std::runtime_error("no");
    block_barrier(false);
  };
  const auto other = [] {
    if (place().block_index == Dim3{2, 1, 0} && place().linear == 1) throw 7;
  };

  EXPECT_EQ(fault_of(kRun, standard), "no (block (2,1,0), thread (1,0,0))");
  EXPECT_EQ(fault_of(kRun, other),
            "an exception of an unknown type (block (2,1,0), thread (1,0,0))");
}

std::string fault_of_many_blocks() {
  const auto body = [] {
    const std::uint32_t block = place().block_index.x;
    if (block >= 2 && block <= 97) kernel_fault("trap");
  };
  return fault_of({.grid = {100, 1, 1}}, body);
}

TEST_P(Fault, OfManyBlocksIsAlwaysThatOfTheSameOne) {
  const std::string first = fault_of_many_blocks();

  for (int round = 0; round < 20; ++round) EXPECT_EQ(fault_of_many_blocks(), first);
}

TEST(FaultOfManyBlocks, IsThatOfTheBlockThatIsStartedFirst) {
  const WithOptions forward({.workers = 4});
  EXPECT_EQ(fault_of_many_blocks(), "trap (block (2,0,0), thread (0,0,0))");

  const WithOptions reverse({.order = Order::reverse, .workers = 4});
  EXPECT_EQ(fault_of_many_blocks(), "trap (block (97,0,0), thread (0,0,0))");
}

struct Counted {
  explicit Counted(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  std::atomic<int>& alive_;
};

TEST_P(Fault, LeavesTheFramesOfThreadsThatWait) {
  std::atomic<int> alive = 0;
  std::atomic<int> begun = 0;
  const auto body = [&] {
    const Counted counted(alive);
    ++begun;
    const std::uint32_t me = place().linear;
    if (me % 2 == 0) warp_exchange(0xffffffff, 0, true);
    if (me > 32 && me % 2 == 1) warp_exchange(0xaaaaaaaa, 0, true);
    if (me == 55) kernel_fault("trap");
    block_barrier(false);
  };

  EXPECT_EQ(fault_of({.block = {64, 1, 1}}, body), "trap (block (0,0,0), thread (55,0,0))");
  EXPECT_EQ(alive, 0);
  EXPECT_GT(begun, 5);
}

TEST_P(Fault, DoesNotSpoilTheNextGrid) {
  for (int round = 0; round < 4; ++round) {
    const auto stuck = [] {
      if (place().lane() != 3) warp_exchange(0xffffffff, 0, true);
      block_barrier(false);
    };
    ASSERT_NE(fault_of(kRun, stuck), "no fault");

    std::vector<std::uint32_t> sums(8);
    run_grid(kRun, [&] {
      const ThreadPlace at = place();
      const Exchange got = warp_exchange(0xffffffff, at.linear, true);
      const Votes votes = block_barrier(got.deposits[0] == at.warp() * 32);
      if (at.linear == 0) sums[at.block_index.y * 4 + at.block_index.x] = votes.count;
    });
    ASSERT_EQ(sums, std::vector<std::uint32_t>(8, 128));
  }
}

}  // namespace
}  // namespace assay::cuda::on_cpu
