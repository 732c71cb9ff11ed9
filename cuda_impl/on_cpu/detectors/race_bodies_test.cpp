// Races in hand-written bodies that the thread sanitizer must find.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "cuda_impl/on_cpu/detectors/child.hpp"

namespace assay::cuda::on_cpu {
namespace {

using testing::ExitedWithCode;

constexpr GridRun kRun{.grid = {2, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 128};

/// Each thread writes its element of shared memory and reads its neighbour's.
template <typename Wait>
void read_neighbour(const Wait& wait) {
  std::array<int, 64> out{};
  run_grid(kRun, [&] {
    const ThreadPlace at = place();
    int* const values = reinterpret_cast<int*>(shared_memory());
    values[at.linear] = 1;
    wait();
    out[at.block_index.x * 32 + at.linear] = values[(at.linear + 1) % 32];
  });
  for (const int value : out) {
    if (value != 1) std::exit(2);
  }
}

TEST(RaceInBodies, OnSharedMemoryIsSilentWithWhatOrdersMemory) {
  const auto by_barrier = [] { read_neighbour([] { block_barrier(false); }); };
  const auto by_warp = [] { read_neighbour([] { warp_exchange(0xffffffff, 0, true); }); };

  EXPECT_EXIT(do_and_exit(by_barrier), ExitedWithCode(kNothingFound), "");
  EXPECT_EXIT(do_and_exit(by_warp), ExitedWithCode(kNothingFound), "");
}

TEST(RaceInBodies, OnSharedMemoryIsFoundWithoutIt) {
  const auto by_shuffle = [] { read_neighbour([] { warp_exchange(0xffffffff, 0, false); }); };
  const auto by_a_part = [] {
    read_neighbour([] {
      warp_exchange(place().lane() < 16 ? 0xffff : 0xffff0000, 0, true);
      warp_exchange(0xffffffff, 0, false);
    });
  };

  EXPECT_EXIT(do_and_exit(by_shuffle), ExitedWithCode(kRaceFound),
              "data race.*block \\(0,0,0\\) thread");
  EXPECT_EXIT(do_and_exit(by_a_part), ExitedWithCode(kRaceFound), "data race");
}

/// One thread of each block raises the same flag and then waits at a barrier.
template <typename Raise>
void raise_in_every_block(const Raise& raise) {
  int flag = 0;
  run_grid(kRun, [&] {
    block_barrier(false);
    if (place().linear == 0) raise(flag);
    block_barrier(false);
  });
  if (flag != 1) std::exit(2);
}

void raise_plainly(int& flag) { flag = 1; }
void raise_atomically(int& flag) { std::atomic_ref(flag).exchange(1, std::memory_order_relaxed); }

TEST(RaceInBodies, OnAFlagIsFoundBetweenBlocks) {
  const auto plainly = [] { raise_in_every_block(raise_plainly); };
  const auto atomically = [] { raise_in_every_block(raise_atomically); };

  EXPECT_EXIT(do_and_exit(plainly), ExitedWithCode(kRaceFound),
              "data race.*block \\([01],0,0\\) thread \\(0,0,0\\).*block \\([01],0,0\\) thread");
  EXPECT_EXIT(do_and_exit(atomically), ExitedWithCode(kNothingFound), "");
}

TEST(RaceInBodies, IsFoundInALaterGridToo) {
  const auto later = [] {
    for (int grid = 0; grid < 3; ++grid) raise_in_every_block(raise_atomically);
    raise_in_every_block(raise_plainly);
  };

  EXPECT_EXIT(do_and_exit(later), ExitedWithCode(kRaceFound), "data race");
}

/// Two launchers write the same address, one after the other. The sanitizer may take a thread for
/// one that has ended, so where they must be told apart, the first stays.
void two_launchers(bool wait) {
  int place_of_both = 0;
  std::atomic<int> writes = 0;
  const auto await = [&](int count) {
    while (writes.load(std::memory_order_relaxed) < count) std::this_thread::yield();
  };
  const auto write = [&] {
    run_grid({.block = {2, 1, 1}}, [&] {
      block_barrier(false);
      if (place().linear == 1) place_of_both = 1;
    });
  };
  std::thread first([&] {
    write();
    writes.store(1, std::memory_order_relaxed);
    if (!wait) await(2);
  });
  if (wait) first.join();
  std::thread second([&] {
    await(1);
    write();
    writes.store(2, std::memory_order_relaxed);
  });
  if (!wait) first.join();
  second.join();
}

TEST(RaceInBodies, IsFoundBetweenLaunchersThatDoNotWaitForEachOther) {
  EXPECT_EXIT(do_and_exit([] { two_launchers(true); }), ExitedWithCode(kNothingFound), "");
  // The sanitizer overlooks one race in thirty.
  const auto often = [] {
    for (int round = 0; round < 10; ++round) two_launchers(false);
  };
  EXPECT_EXIT(do_and_exit(often), ExitedWithCode(kRaceFound), "data race");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
