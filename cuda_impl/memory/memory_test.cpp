// The allocator as seen by tensors: reuse of memory, and driver calls.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/memory/pinned.hpp"
#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);
constexpr std::int64_t kElements = 5000;

Tensor some() { return empty({kElements}, Dtype::kFloat32, kDevice); }

TEST(Memory, GoesBackToItsOwnStreamWhicheverIsCurrent) {
  const OwnStream other;
  std::optional<Tensor> first = some();
  void* const address = first->data();
  {
    const StreamScope scope(other.get());
    first.reset();
    EXPECT_NE(some().data(), address);
  }

  EXPECT_EQ(some().data(), address);
}

TEST(Memory, ThatIsCachedCostsNoCallOfTheDriver) {
  if (!is_simulated()) return;  // only the simulated runtime counts calls
  some();
  assay_cudart_log();

  for (int i = 0; i < 3; ++i) some();

  EXPECT_EQ(std::string(assay_cudart_log()), "");
}

TEST(Memory, OfAViewIsUsedByTheStreamThatItsStorageWasNotedFor) {
  if (!is_simulated()) return;  // only the simulated runtime counts events
  const OwnStream other;
  std::optional<Tensor> whole = some();
  as_strided(*whole, {1}, {1}, 7)->storage->note_use({0, other.get()});
  assay_cudart_log();

  whole.reset();

  EXPECT_NE(std::string(assay_cudart_log()).find("event_record"), std::string::npos);
}

TEST(Memory, OfTwoDevicesIsNotOneEvenOnDefaultStreams) {
  int devices = 0;
  cuda_check(cudaGetDeviceCount(&devices));
  if (devices < 2) return;  // needs two devices
  const std::int64_t before = memory::statistics(1).num_device_alloc;
  const Tensor there = empty({1 << 22}, Dtype::kFloat32, cuda_device(1));

  EXPECT_EQ(memory::statistics(1).num_device_alloc, before + 1);
  EXPECT_EQ(current_device(), 0);
}

/// The graph is destroyed while replays are running, without waiting for them.
TEST(Memory, ThatReplaysReadIsNotGivenToOthersWhenTheGraphGoes) {
  if (!is_simulated()) return;  // a GPU's progress cannot be controlled
  const Tensor target = full({4}, 0, Dtype::kFloat32, kDevice);
  const std::vector<float> numbers = {1, 2, 3, 4};
  std::optional<Graph> graph(std::in_place);
  graph->begin(cudaStreamCaptureModeThreadLocal);
  write_elements(target, reinterpret_cast<const std::byte*>(numbers.data()));
  graph->end(Release::k2_11);
  constexpr int kManual = 2;
  assay_cudart_schedule(kManual, 0);
  graph->replay();

  graph.reset();
  memory::PinnedBlock& next = memory::pin(sizeof(float) * numbers.size());
  std::memset(next.data, 0, next.size_bytes);
  assay_cudart_schedule(0, 0);

  const std::vector<std::byte> got = read_elements(target);
  EXPECT_EQ(std::memcmp(got.data(), numbers.data(), got.size()), 0);
  memory::unpin(next);
}

}  // namespace
}  // namespace assay::cuda
