// What a graph needs besides its memory on devices: what the host had, and what is not part of it.
#include "cuda_impl/core/graph_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

#include "cuda_impl/core/graph.hpp"
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

}  // namespace
}  // namespace assay::cuda
