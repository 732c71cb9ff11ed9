// Computes one output element of a one-dimensional convolution.
#pragma once

#include "cuda_impl/kernels/conv1d.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/multiply_add.cuh"

namespace assay::cuda {

/// Returns output element `index`. Positions in the padding contribute nothing.
template <typename T>
__host__ __device__ T convolved(const Conv1dTask& task, std::int64_t index) {
  using Wide = WideOf<T>;
  const std::int64_t at = index % task.out_length;
  const std::int64_t row = index / task.out_length;
  const std::int64_t channel = row % task.out_channels;
  const std::int64_t depth = task.channels / task.groups;
  const std::int64_t group = channel / (task.out_channels / task.groups);
  const auto* input = static_cast<const T*>(task.input) +
                      (row / task.out_channels * task.channels + group * depth) * task.length;
  const auto* weight = static_cast<const T*>(task.weight) + channel * depth * task.width;
  Wide sum = 0;
  for (std::int64_t i = 0; i < depth; ++i) {
    for (std::int64_t j = 0; j < task.width; ++j) {
      const std::int64_t from = at * task.stride + j * task.dilation - task.padding;
      if (from < 0 || from >= task.length) continue;
      sum = multiply_add(convert<Wide>(input[i * task.length + from]),
                         convert<Wide>(weight[i * task.width + j]), sum);
    }
  }
  if (task.bias != nullptr) sum += convert<Wide>(static_cast<const T*>(task.bias)[channel]);
  return convert<T>(sum);
}

}  // namespace assay::cuda
