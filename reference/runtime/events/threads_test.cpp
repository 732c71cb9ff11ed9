// Threads with separate events on one stream; run with the thread sanitizer (EVT-031).
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/events/flag.hpp"
#include "reference/runtime/events/generic.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
namespace {

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

}  // namespace
}  // namespace assay::reference
