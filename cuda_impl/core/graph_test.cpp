// Host memory that a graph keeps, and work outside the capture.
#include "cuda_impl/core/graph.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/for_tests.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

std::vector<float> numbers_in(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST(GraphMemory, KeepsWhatTheHostWroteInTheCaptureForReplays) {
  const Tensor target = full({4}, 0, Dtype::kFloat32, kDevice);
  std::vector<float> numbers = {1, 2, 3, 4};
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);
  write_elements(target, reinterpret_cast<const std::byte*>(numbers.data()));
  graph.end(Release::k2_11);
  numbers = {5, 6, 7, 8};

  EXPECT_EQ(numbers_in(target), (std::vector<float>{0, 0, 0, 0}));
  graph.replay();
  EXPECT_EQ(numbers_in(target), (std::vector<float>{1, 2, 3, 4}));
}

TEST(GraphMemory, OfWhatIsDoneOutsideOfTheCaptureNothingIsReplayed) {
  std::optional<Tensor> made;
  Graph graph;
  graph.begin(cudaStreamCaptureModeThreadLocal);
  {
    const OutsideCapture now;
    made = full({2}, 3, Dtype::kFloat32, kDevice);
  }
  graph.end(Release::k1_13);

  EXPECT_EQ(numbers_in(*made), (std::vector<float>{3, 3}));
  const std::vector<float> others = {7, 7};
  write_elements(*made, reinterpret_cast<const std::byte*>(others.data()));
  graph.replay();
  EXPECT_EQ(numbers_in(*made), others);
}

/// Allocates pinned blocks of the same size, to overwrite memory that the graph wrongly released.
void fill_pinned_memory_of(std::size_t size_bytes, std::byte with) {
  std::vector<std::shared_ptr<Storage>> all;
  for (int i = 0; i < 8; ++i) all.push_back(Storage::pinned(size_bytes));
  for (const auto& each : all) std::memset(each->data(), static_cast<int>(with), size_bytes);
}

TEST(GraphMemory, OfTheHostStaysUntilReplaysUnderWayAreOver) {
  if (!HeldStream::is_possible()) return;
  const Tensor target = full({4}, 0, Dtype::kFloat32, kDevice);
  const std::vector<float> numbers = {1, 2, 3, 4};
  std::optional<Graph> graph(std::in_place);
  graph->begin(cudaStreamCaptureModeThreadLocal);
  write_elements(target, reinterpret_cast<const std::byte*>(numbers.data()));
  graph->end(Release::k2_11);
  HeldStream one;
  HeldStream other;
  for (const HeldStream* const held : {&one, &other}) {
    const StreamScope scope(held->get());
    graph->replay();
  }

  graph.reset();
  one.open();
  fill_pinned_memory_of(target.size_bytes(), std::byte{0x5a});
  other.open();

  EXPECT_EQ(numbers_in(target), numbers);
}

TEST(GraphMemory, OfADeviceStaysUntilAReplayUnderWayIsOver) {
  if (!HeldStream::is_possible()) return;
  const Tensor target = full({4}, 0, Dtype::kFloat32, kDevice);
  std::optional<Tensor> source = full({4}, 3, Dtype::kFloat32, kDevice);
  std::optional<Graph> graph(std::in_place);
  graph->begin(cudaStreamCaptureModeThreadLocal);
  cuda_check(cudaMemcpyAsync(target.data(), (*source).data(), target.size_bytes(),
                             cudaMemcpyDeviceToDevice, current_stream()));
  memory_of_capture()->keep((*source)->storage);
  graph->end(Release::k2_11);
  HeldStream held;
  {
    const StreamScope scope(held.get());
    graph->replay();
  }

  source.reset();
  graph.reset();
  const Tensor others = full({4}, 9, Dtype::kFloat32, kDevice);
  held.open();

  EXPECT_EQ(numbers_in(target), (std::vector<float>{3, 3, 3, 3}));
  EXPECT_EQ(numbers_in(others), (std::vector<float>{9, 9, 9, 9}));
}

}  // namespace
}  // namespace assay::cuda
