// Grids: orders, helpers, many host threads; invalid grids are rejected.
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/testing.hpp"

namespace assay::cuda::on_cpu {
namespace {

class Grid : public testing::TestWithParam<Options> {
  WithOptions with_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Orders, Grid, testing::ValuesIn(kEveryOrder), shown_order);

TEST_P(Grid, MayBeRunByManyThreadsOfTheHostAtOnce) {
  constexpr int kHosts = 4;
  std::vector<std::uint64_t> sums(kHosts);
  std::vector<std::thread> hosts;

  for (int host = 0; host < kHosts; ++host) {
    hosts.emplace_back([&sums, host] {
      for (int round = 0; round < 5; ++round) {
        std::vector<std::uint64_t> values(4 * 64);
        run_grid({.grid = {4, 1, 1}, .block = {64, 1, 1}}, [&] {
          block_barrier(false);
          const ThreadPlace at = place();
          values[at.block_index.x * 64 + at.linear] = static_cast<std::uint64_t>(host) + at.linear;
        });
        sums[static_cast<std::size_t>(host)] +=
            std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      }
    });
  }
  for (std::thread& host : hosts) host.join();

  for (std::uint64_t host = 0; host < kHosts; ++host) {
    EXPECT_EQ(sums[host], 5 * 4 * (64 * host + 63 * 32));
  }
}

/// The number of each thread, in the order in which the threads ask.
template <typename Number>
std::vector<std::uint32_t> order_of(const GridRun& run, const Number& number) {
  std::vector<std::uint32_t> order(run.grid.count() * run.block.count());
  std::atomic<std::size_t> next = 0;
  run_grid(run, [&] {
    const std::uint32_t mine = number();
    order[next++] = mine;
  });
  return order;
}

std::vector<std::uint32_t> order_of_threads() {
  return order_of({.block = {64, 1, 1}}, [] { return place().linear; });
}

std::vector<std::uint32_t> order_of_blocks() {
  return order_of({.grid = {60, 1, 1}}, [] { return place().block_index.x; });
}

std::vector<std::uint32_t> order_of_the_woken() {
  return order_of({.block = {64, 1, 1}}, [] {
    block_barrier(false);
    return place().linear;
  });
}

TEST(GridOrder, IsForwardUnlessToldOtherwise) {
  const WithOptions with({.workers = 1});

  for (const auto& order : {order_of_threads(), order_of_blocks()}) {
    for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(GridOrder, OfReverseGoesFromTheLastToTheFirst) {
  const WithOptions with({.order = Order::reverse, .workers = 1});

  for (const auto& order : {order_of_threads(), order_of_blocks()}) {
    for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], order.size() - 1 - i);
  }
}

TEST(GridOrder, OfShuffledIsAnOrderOfAllThatTheSeedDecides) {
  for (const auto& order_now : {order_of_threads, order_of_blocks, order_of_the_woken}) {
    std::vector<std::vector<std::uint32_t>> orders;
    for (const std::uint64_t seed : {1u, 2u, 1u}) {
      const WithOptions with({.order = Order::shuffled, .seed = seed, .workers = 1});
      orders.push_back(order_now());
    }

    EXPECT_EQ(orders[0], orders[2]);
    EXPECT_NE(orders[0], orders[1]);
    std::vector<std::uint32_t> sorted = orders[0];
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
    EXPECT_NE(sorted, orders[0]);
  }
}

TEST(GridWorkers, RunBlocksAtOnce) {
  const WithOptions with({.workers = 2});
  std::atomic<int> inside = 0;

  // Each block waits for the other, so they must run concurrently.
  run_grid({.grid = {2, 1, 1}}, [&] {
    ++inside;
    while (inside != 2) std::this_thread::yield();
  });

  EXPECT_EQ(inside, 2);
}

TEST(GridWorkers, AreNoneWhereOneIsEnough) {
  const WithOptions with({.workers = 1});
  const auto host = std::this_thread::get_id();

  run_grid({.grid = {50, 1, 1}}, [&] { ASSERT_EQ(std::this_thread::get_id(), host); });
}

std::string refusal_of(const GridRun& run) {
  try {
    run_grid(run, [] {});
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(GridDimensions, ThatCudaDoesNotAllowAreRefused) {
  EXPECT_EQ(refusal_of({.grid = {0, 1, 1}}),
            "a grid has from 1 to 2147483647 x 65535 x 65535, got 0 x 1 x 1");
  EXPECT_EQ(refusal_of({.grid = {1, 65536, 1}}),
            "a grid has from 1 to 2147483647 x 65535 x 65535, got 1 x 65536 x 1");
  EXPECT_EQ(refusal_of({.block = {1, 1, 65}}),
            "a block has from 1 to 1024 x 1024 x 64, got 1 x 1 x 65");
  EXPECT_EQ(refusal_of({.block = {32, 33, 1}}), "a block has at most 1024 threads, got 1056");
  EXPECT_EQ(refusal_of({.block = {1024, 1, 1}}), "not refused");
}

TEST(GridNesting, IsRefused) {
  const std::string fault = fault_of({}, [] { run_grid({}, [] {}); });

  EXPECT_EQ(fault, "a CUDA thread cannot run a grid (block (0,0,0), thread (0,0,0))");
}

TEST(OutsideOfAGrid, NobodyIsACudaThread) {
  EXPECT_THROW(place(), std::logic_error);
  EXPECT_THROW(block_barrier(false), std::logic_error);
  EXPECT_THROW(warp_exchange(1, 0, false), std::logic_error);
  EXPECT_THROW(shared_memory(), std::logic_error);
}

}  // namespace
}  // namespace assay::cuda::on_cpu
