// Compile-time properties of the runtime's types; threads with separate events on one stream and
// with the pools (run with the thread sanitizer, EVT-031).
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "reference/runtime/events/common.hpp"
#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/guards/stream.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
namespace {

template <typename T>
constexpr bool kStays = !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
                        !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

template <typename T>
constexpr bool kOnlyMoves =
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;

// A movable guard could end on another thread, or twice.
TEST(RuntimeTypes, GuardsAreNeitherCopiedNorMoved) {
  EXPECT_TRUE(kStays<BackendDeviceGuard>);
  EXPECT_TRUE(kStays<OptionalDeviceGuard>);
  EXPECT_TRUE(kStays<StreamGuard>);
  EXPECT_TRUE(kStays<OptionalStreamGuard>);
  EXPECT_TRUE(kStays<MultiStreamGuard>);
}

TEST(RuntimeTypes, EventsAreMovedAndNotCopied) {
  EXPECT_TRUE(kOnlyMoves<Event>);
  EXPECT_TRUE(kOnlyMoves<CudaEvent>);
}

TEST(RuntimeTypes, StreamIsSixteenBytes) {
  EXPECT_EQ(sizeof(Stream), 16u);
  EXPECT_TRUE(std::is_trivially_copyable_v<Stream>);
}

TEST(RuntimeTypes, DestructorsDoNotThrow) {
  EXPECT_TRUE(std::is_nothrow_destructible_v<StreamGuard>);
  EXPECT_TRUE(std::is_nothrow_destructible_v<CudaEvent>);
}

// Events.

constexpr int kThreads = 4;
constexpr int kRounds = 50;

class EventThreads : public testing::Test {
 protected:
  /// Calls `work` on all threads concurrently.
  template <typename Work>
  static void on_threads(const Work& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
  }

  /// Uses every member function that involves a stream or the driver.
  template <typename Event>
  static void use(Event& event, const Stream& stream) {
    for (int round = 0; round < kRounds; ++round) {
      event.record(stream);
      event.query();
      event.block(stream);
      event.synchronize();
      EXPECT_TRUE(event.query());
    }
  }

  Runtime runtime_{Contract{Release::k2_11, DeviceRules::kCuda, Deviations::kStrict}};
  const Stream stream_ = stream_from_pool(runtime_, 0, 1);
};

TEST_F(EventThreads, UseTheirOwnEventsOfCuda) {
  on_threads([&] {
    CudaEvent event(runtime_);
    use(event, stream_);
  });

  EXPECT_TRUE(query_stream(runtime_, stream_));
  EXPECT_EQ(driver_of(runtime_).live().events, 0);
}

TEST_F(EventThreads, UseTheirOwnGenericEvents) {
  on_threads([&] {
    Event event(runtime_, DeviceType::kCuda, EventFlag::kBackendDefault);
    use(event, stream_);
  });

  EXPECT_TRUE(query_stream(runtime_, stream_));
  EXPECT_EQ(driver_of(runtime_).live().events, 0);
}

TEST_F(EventThreads, HandAnEventOnOneAfterTheOther) {
  CudaEvent event(runtime_);
  for (int i = 0; i < kThreads; ++i) {
    std::thread([&] { use(event, stream_); }).join();
  }

  EXPECT_TRUE(event.query());
}

// The pools.

constexpr int kManyThreads = 8;
constexpr int kRequests = 100;

class Pools : public testing::Test {
 protected:
  /// Calls `work` on all threads concurrently.
  template <typename Work>
  static void on_threads(const Work& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kManyThreads; ++i) threads.emplace_back(work, i);
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
