// Pools, current streams, guards and events on two devices, two streams and several threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/cuda_event.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/guards.hpp"
#include "cuda_impl/runtime/process.hpp"

/// A function of the simulated runtime; null with the real one.
extern "C" [[gnu::weak]] const char* assay_cudart_log();

namespace assay::cuda {
namespace {

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    reset_runtime(true);
    set_current_device(0);
    ASSERT_GE(Session::cuda_devices(), 2);
  }
  void TearDown() override { reset_runtime(true); }
};

/// Returns the runtime calls since the last query; empty on a GPU, which keeps no log.
std::string driver_calls() { return assay_cudart_log == nullptr ? "" : assay_cudart_log(); }

/// The number of times that each id was returned.
using Taken = std::map<std::int64_t, int>;

Taken take(int device, int times) {
  Taken taken;
  for (int i = 0; i < times; ++i) ++taken[stream_from_pool(0, device).id];
  return taken;
}

TEST_F(Streams, ThreadsShareAPoolAndLoseNoRequest) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 3;
  std::array<std::array<Taken, 2>, kThreads> taken;
  std::vector<std::thread> threads;

  for (auto& mine : taken) {
    threads.emplace_back([&mine] {
      mine = {take(0, kRounds * kPoolSize), take(1, kRounds * kPoolSize)};
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const std::size_t device : {std::size_t{0}, std::size_t{1}}) {
    Taken all;
    for (const auto& mine : taken) {
      for (const auto& [id, times] : mine.at(device)) all[id] += times;
    }
    EXPECT_EQ(all.size(), std::size_t{kPoolSize});
    for (const auto& [id, times] : all) EXPECT_EQ(times, kThreads * kRounds) << "id " << id;
  }
}

TEST_F(Streams, TheCurrentStreamIsOfTheThreadAndTheDevice) {
  const Stream here = stream_from_pool(0, 0);
  const Stream there = stream_from_pool(0, 1);
  set_current_stream(here);
  set_current_stream(there);
  std::optional<Stream> seen_elsewhere;

  std::thread([&] { seen_elsewhere = current_cuda_stream(0); }).join();

  EXPECT_EQ(seen_elsewhere->id, 0);
  EXPECT_EQ(current_cuda_stream(0), here);
  EXPECT_EQ(current_cuda_stream(1), there);
  EXPECT_EQ(current_device(), 0);
  EXPECT_EQ(current_stream(), handle_of(here));
  set_current_device(1);
  EXPECT_EQ(current_stream(), handle_of(there));
}

TEST_F(Streams, MakingAStreamCurrentCallsNobody) {
  const Stream stream = stream_from_pool(0, 1);
  driver_calls();

  for (int i = 0; i < 3; ++i) set_current_stream(stream);
  static_cast<void>(current_cuda_stream(1));

  EXPECT_EQ(driver_calls(), "");
}

TEST_F(Streams, AGuardOfTheCurrentDeviceSetsNone) {
  driver_calls();

  { const DeviceGuard guard(cuda_device(0)); }

  EXPECT_EQ(driver_calls().find("set_device"), std::string::npos);
}

TEST_F(Streams, GuardsPutBackTheStreamsOfBothDevices) {
  const Stream first = stream_from_pool(0, 0);
  const Stream second = stream_from_pool(0, 1);
  set_current_stream(first);
  {
    const StreamGuard outer(second);
    const MultiStreamGuard inner({stream_from_pool(0, 0), stream_from_pool(0, 1)});
    EXPECT_EQ(current_device(), 1);
    EXPECT_NE(current_cuda_stream(0), first);
    EXPECT_NE(current_cuda_stream(1), second);
  }
  EXPECT_EQ(current_device(), 0);
  EXPECT_EQ(current_cuda_stream(0), first);
  EXPECT_EQ(current_cuda_stream(1).id, 0);
}

TEST_F(Streams, AnEventOrdersStreamsOfTwoDevices) {
  const Stream first = stream_from_pool(0, 0);
  const Stream second = stream_from_pool(0, 1);
  CudaEvent event;
  CudaEvent behind;

  event.record(first);
  event.block(second);
  behind.record(second);
  behind.synchronize();

  EXPECT_TRUE(event.query());
  EXPECT_EQ(event.device(), cuda_device(0));
  EXPECT_EQ(behind.device(), cuda_device(1));
}

TEST_F(Streams, ThreadsRecordAndWaitWithEventsOfTheirOwn) {
  const std::array streams{stream_from_pool(0, 0), stream_from_pool(0, 1)};
  std::vector<std::thread> threads;
  std::array<bool, 2> are_done{};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    threads.emplace_back([&, i] {
      const StreamGuard guard(streams.at(i));
      CudaEvent event;
      for (int round = 0; round < 20; ++round) {
        event.record(streams.at(i));
        event.block(streams.at(1 - i));
      }
      event.synchronize();
      are_done.at(i) = event.query();
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_TRUE(are_done.at(0));
  EXPECT_TRUE(are_done.at(1));
}

}  // namespace
}  // namespace assay::cuda
