// The scheduler: what each strategy finds in small programs.
#include "cuda_impl/on_cpu/cudart/schedule.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>

#include "cuda_impl/on_cpu/cudart/controls.h"

namespace {

__attribute__((no_sanitize("thread"))) std::uint32_t peek(const std::uint32_t* word) {
  return *word;
}

constexpr int kEager = 0;
constexpr int kLazy = 1;
constexpr int kSeeded = 3;
constexpr int kPriorities = 4;
constexpr int kExhaustive = 5;

void store(cudaStream_t stream, std::uint32_t* where, std::uint32_t value) {
  ASSERT_EQ(assay_cudart_fill(stream, where, &value, sizeof value, 1), 0);
}

class Schedules : public testing::Test {
 protected:
  void SetUp() override {
    assay_cudart_reset();
    ASSERT_EQ(cudaMalloc(&memory_, 3 * sizeof(std::uint32_t)), cudaSuccess);
    for (cudaStream_t& stream : streams_) {
      ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    }
    ASSERT_EQ(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), cudaSuccess);
  }
  void TearDown() override {
    assay_cudart_reset();
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    cudaEventDestroy(event_);
    cudaFree(memory_);
  }

  std::uint32_t* word(int i = 0) const { return static_cast<std::uint32_t*>(memory_) + i; }

  /// The second stream copies what the first one writes, with or without waiting for it.
  std::uint32_t producer_and_consumer(bool waits) {
    cudaMemset(memory_, 0, 3 * sizeof(std::uint32_t));
    cudaDeviceSynchronize();  // the streams do not wait for the default stream
    store(streams_[0], word(0), 1);
    if (waits) cudaEventRecord(event_, streams_[0]);
    if (waits) cudaStreamWaitEvent(streams_[1], event_, 0);
    cudaMemcpyAsync(word(1), word(0), sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, streams_[1]);
    cudaDeviceSynchronize();
    return peek(word(1));
  }

  std::set<std::uint32_t> outcomes(int strategy, int seeds, bool waits) {
    std::set<std::uint32_t> seen;
    for (int seed = 0; seed < seeds; ++seed) {
      assay_cudart_schedule(strategy, static_cast<std::uint64_t>(seed));
      seen.insert(producer_and_consumer(waits));
    }
    return seen;
  }

  /// How many runs it takes to see all orders of the program.
  int runs(const std::function<void()>& program) {
    int count = 0;
    assay_cudart_schedule(kExhaustive, 0);
    do {
      program();
      ++count;
    } while (assay_cudart_next_schedule() == 1);
    return count;
  }

  cudaStream_t streams_[2] = {};

 private:
  void* memory_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

using Outcomes = std::set<std::uint32_t>;

TEST_F(Schedules, EagerNeverSeesThatAnEventWasForgotten) {
  EXPECT_EQ(outcomes(kEager, 1, false), Outcomes{1});
}

TEST_F(Schedules, PrioritiesSeeItWithFewSeeds) {
  EXPECT_EQ(outcomes(kPriorities, 50, false), (Outcomes{0, 1}));
  EXPECT_EQ(outcomes(kPriorities, 50, true), Outcomes{1});
}

TEST_F(Schedules, ASeedIsRepeatable) {
  for (const int strategy : {kSeeded, kPriorities}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      assay_cudart_schedule(strategy, seed);
      const std::uint32_t first = producer_and_consumer(false);
      assay_cudart_schedule(strategy, seed);
      EXPECT_EQ(producer_and_consumer(false), first) << "strategy " << strategy << " seed " << seed;
    }
  }
}

TEST_F(Schedules, TheRightProgramHasOneOutcomeInEveryOrder) {
  for (const int strategy : {kEager, kLazy, kSeeded}) {
    EXPECT_EQ(outcomes(strategy, 20, true), Outcomes{1}) << strategy;
  }
  Outcomes seen;
  runs([&] { seen.insert(producer_and_consumer(true)); });
  EXPECT_EQ(seen, Outcomes{1});
}

TEST_F(Schedules, ExhaustiveSeesBothOutcomesOfTheWrongOne) {
  Outcomes seen;
  runs([&] { seen.insert(producer_and_consumer(false)); });
  EXPECT_EQ(seen, (Outcomes{0, 1}));
}

TEST_F(Schedules, ExhaustiveTakesAsManyRunsAsThereAreOrders) {
  const auto program = [&](int operations) {
    for (int i = 0; i < operations; ++i) {
      for (cudaStream_t stream : streams_) assay_cudart_kernel(stream, "work", 1, 0);
    }
    cudaDeviceSynchronize();
  };

  EXPECT_EQ(runs([&] { program(1); }), 2);
  EXPECT_EQ(runs([&] { program(3); }), 20);
  EXPECT_EQ(runs([&] { program(5); }), 252);
}

TEST_F(Schedules, AHostThatAsksUntilTheAnswerChangesGetsIt) {
  const auto program = [&] {
    store(streams_[0], word(), 1);
    while (cudaStreamQuery(streams_[0]) == cudaErrorNotReady) {
    }
  };

  for (const int strategy : {kLazy, kPriorities}) {
    assay_cudart_schedule(strategy, 7);
    program();
    EXPECT_EQ(peek(word()), 1u);
  }
  EXPECT_GT(runs(program), 1);
}

}  // namespace
