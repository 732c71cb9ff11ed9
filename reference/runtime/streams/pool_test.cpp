// The pools with many threads.
#include "reference/runtime/streams/pool.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "reference/runtime/streams/cuda.hpp"

namespace assay::reference {
namespace {

constexpr int kThreads = 8;
constexpr int kRequests = 100;

class Pools : public testing::Test {
 protected:
  /// Calls `work` on all threads concurrently.
  template <typename Work>
  static void on_threads(const Work& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }

  Runtime runtime_{Contract{Release::k2_11, DeviceRules::kCuda, Deviations::kStrict}};
};

TEST_F(Pools, ThreadsLoseNoRequest) {
  std::mutex mutex;
  std::map<std::int64_t, int> times;

  on_threads([&](int) {
    for (int i = 0; i < kRequests; ++i) {
      const Stream stream = stream_from_pool(runtime_, 0, 1);
      const std::scoped_lock lock(mutex);
      ++times[stream.id];
    }
  });

  EXPECT_EQ(times.size(), 32u);
  for (const auto& [id, count] : times) EXPECT_EQ(count, 25) << "id " << id;
}

TEST_F(Pools, FirstRequestsOfManyThreadsMakeThePoolOnce) {
  on_threads([&](int) { handle_of(runtime_, stream_from_pool(runtime_, true, 0)); });

  EXPECT_EQ(driver_of(runtime_).live().streams, 4 * 32);
}

TEST_F(Pools, TheCounterWrapsAroundWithoutASeam) {
  stream_from_pool(runtime_, 0, 0);
  set_pool_counter(runtime_, 0, 0, 0xffffffff);

  EXPECT_EQ(stream_from_pool(runtime_, 0, 0).id, 995);
  EXPECT_EQ(stream_from_pool(runtime_, 0, 0).id, 3);
}

TEST_F(Pools, EachThreadHasItsOwnCurrentStream) {
  on_threads([&](int i) {
    EXPECT_EQ(current_stream(runtime_, 2).id, 0);
    const Stream mine{cuda_device(2), 3 + 32 * i};
    for (int round = 0; round < kRequests; ++round) {
      set_current_stream(runtime_, mine);
      EXPECT_EQ(current_stream(runtime_, 2), mine);
    }
  });

  EXPECT_EQ(current_stream(runtime_, 2).id, 0);
}

}  // namespace
}  // namespace assay::reference
