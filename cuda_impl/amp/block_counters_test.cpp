// Concurrent launches use separate block counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"

namespace assay::cuda {
namespace {

constexpr unsigned kWords = 4096;
constexpr int kMoreThanWords = 5000;
const Device kDevice = cuda_device(0);

std::optional<BlockCounter> counter_in(cudaStream_t stream, unsigned words = kWords) {
  const StreamScope scope(stream);
  return block_counter(words);
}

/// The gradients of an optimizer step: all finite, and large enough for several blocks.
struct Step {
  std::vector<Tensor> grads{full({20000}, 1, Dtype::kFloat32, kDevice)};
  Tensor scale = full({}, 8, Dtype::kFloat32, kDevice);
  Tensor tracker = full({}, 0, Dtype::kInt32, kDevice);
  Tensor flag = full({}, 0, Dtype::kFloat32, kDevice);
  Tensor inverse = full({}, 1, Dtype::kFloat32, kDevice);

  void run() const {
    amp_unscale_and_update_(Contract{}, {{grads, flag, inverse}, scale, tracker},
                            {2.0, 0.5, 1 << 30});
  }
};

TEST(BlockCounters, AreOneForLaunchesOfAStreamAndAnotherForThoseOfTheNext) {
  const OwnStream one;
  const OwnStream other;

  const auto first = counter_in(one.get());

  EXPECT_EQ(first->own, nullptr);
  EXPECT_EQ(counter_in(one.get())->index, first->index);
  EXPECT_NE(counter_in(other.get())->index, first->index);
  EXPECT_NE(counter_in(nullptr)->index, first->index);
}

TEST(BlockCounters, OfTwoDevicesAreNotCountedTogether) {
  const auto here = counter_in(nullptr);
  const DeviceScope scope(1);
  const OwnStream there;

  EXPECT_TRUE(counter_in(there.get()).has_value());
  EXPECT_EQ(counter_in(nullptr)->own, nullptr);
  EXPECT_LT(here->index, kWords);
}

TEST(BlockCounters, AreNotSharedByAStreamThatFindsNoneLeft) {
  const OwnStream known;
  const auto taken = counter_in(known.get());
  // A new stream may reuse the handle of one that has a counter, but not all of these can.
  const std::vector<OwnStream> late(taken->index + 2);

  EXPECT_TRUE(std::ranges::any_of(late, [&](const OwnStream& stream) {
    return !counter_in(stream.get(), taken->index + 1).has_value();
  }));
  EXPECT_EQ(counter_in(known.get(), taken->index + 1)->index, taken->index);
}

TEST(BlockCounters, AreNotForTheDefaultStreamOfAThread) {
  EXPECT_EQ(counter_in(cudaStreamPerThread), std::nullopt);
}

TEST(BlockCounters, OfCapturedLaunchesAreEachOnesOwn) {
  std::set<const std::uint32_t*> seen;
  Graph graphs[2];
  for (Graph& graph : graphs) {
    graph.begin(cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < 300; ++i) seen.insert(block_counter(kWords)->own);
    graph.end(Release::k1_13);
  }

  EXPECT_EQ(seen.size(), 600u);
  EXPECT_FALSE(seen.contains(nullptr));
}

TEST(BlockCounters, AreNotForTheCaptureOfSomebodyElse) {
  const OwnStream stream;
  cuda_check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed));

  EXPECT_EQ(counter_in(stream.get()), std::nullopt);

  cudaGraph_t captured = nullptr;
  cuda_check(cudaStreamEndCapture(stream.get(), &captured));
  cuda_check(cudaGraphDestroy(captured));
}

TEST(BlockCounters, OfAStreamThatIsHeldAreTakenByNobodyElse) {
  if (!HeldStream::is_possible()) return;
  const Step held;
  const Step others;
  const OwnStream fast[2];
  cuda_check(cudaDeviceSynchronize());
  HeldStream slow;
  std::set<unsigned> taken;
  const auto own = counter_in(slow.get());
  {
    const StreamScope scope(slow.get());
    held.run();
  }

  for (int i = 0; i < kMoreThanWords; ++i) {
    const StreamScope scope(fast[i % 2].get());
    taken.insert(block_counter(kWords)->index);
    if (i % 50 == 0) others.run();
  }
  slow.open();
  cuda_check(cudaDeviceSynchronize());

  EXPECT_EQ(taken.size(), 2u);
  EXPECT_FALSE(taken.contains(own->index));
  EXPECT_EQ(read_number(held.tracker), 1);
  EXPECT_EQ(read_number(others.tracker), kMoreThanWords / 50);
}

TEST(BlockCounters, AreThereForAnyNumberOfGraphs) {
  const Step step;
  int replays = 0;

  for (int i = 0; i < kMoreThanWords; ++i) {
    Graph graph;
    graph.begin(cudaStreamCaptureModeThreadLocal);
    step.run();
    graph.end(Release::k1_13);
    if (i % 500 != 0) continue;
    graph.replay();
    ++replays;
  }

  EXPECT_EQ(read_number(step.tracker), replays);
}

TEST(BlockCounters, AreThereForAnyNumberOfLaunchesOfAGraph) {
  const Step step;
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);
  for (int i = 0; i < 200; ++i) step.run();
  graph.end(Release::k1_13);

  graph.replay();
  graph.replay();

  EXPECT_EQ(read_number(step.tracker), 400);
}

// Without a block counter, the update is a separate launch.
TEST(BlockCounters, AreNotNeeded) {
  const Step step;
  const StreamScope scope(cudaStreamPerThread);
  const std::int64_t before = counters().launches;

  step.run();

  EXPECT_EQ(counters().launches, before + 2);
  EXPECT_EQ(read_number(step.tracker), 1);
}

}  // namespace
}  // namespace assay::cuda
