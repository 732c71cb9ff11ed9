// Computes one output element of a convolution.
#pragma once

#include "cuda_impl/kernels/convolution.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/multiply_add.cuh"

namespace assay::cuda {

/// The position that tap `tap` of the kernel reads for output position `at` in dimension `dim`; -1
/// if that is in the padding, or between the elements of a transposed convolution.
__host__ __device__ inline std::int64_t position_under(const ConvolutionTask& task, int dim,
                                                       std::int64_t at, std::int64_t tap) {
  const std::int64_t reach = tap * task.dilation.of[dim] - task.padding.of[dim];
  const std::int64_t stride = task.stride.of[dim];
  std::int64_t from = at * stride + reach;
  if (task.is_transposed) {
    const std::int64_t spread = at - reach;
    from = spread < 0 || spread % stride != 0 ? -1 : spread / stride;
  }
  return from < task.sizes.of[dim] ? from : -1;
}

/// Adds the products of one input channel.
template <typename T>
__host__ __device__ WideOf<T> plane_sum(const ConvolutionTask& task, const T* input,
                                        const T* weight, const Triple& at, WideOf<T> sum) {
  using Wide = WideOf<T>;
  for (std::int64_t i = 0; i < task.widths.of[0]; ++i) {
    const std::int64_t deep = position_under(task, 0, at.of[0], i);
    if (deep < 0) continue;
    for (std::int64_t j = 0; j < task.widths.of[1]; ++j) {
      const std::int64_t down = position_under(task, 1, at.of[1], j);
      if (down < 0) continue;
      const T* row = input + (deep * task.sizes.of[1] + down) * task.sizes.of[2];
      const T* taps = weight + (i * task.widths.of[1] + j) * task.widths.of[2];
      for (std::int64_t k = 0; k < task.widths.of[2]; ++k) {
        const std::int64_t across = position_under(task, 2, at.of[2], k);
        if (across >= 0) {
          sum = multiply_add(convert<Wide>(row[across]), convert<Wide>(taps[k]), sum);
        }
      }
    }
  }
  return sum;
}

/// Returns output element `index`. Positions in the padding contribute nothing.
template <typename T>
__host__ __device__ T convolved(const ConvolutionTask& task, std::int64_t index) {
  using Wide = WideOf<T>;
  Triple at;
  for (int dim = 2; dim >= 0; --dim) {
    at.of[dim] = index % task.out_sizes.of[dim];
    index /= task.out_sizes.of[dim];
  }
  const std::int64_t channel = index % task.out_channels;
  const std::int64_t depth = task.channels / task.groups;
  const std::int64_t width = task.out_channels / task.groups;
  const std::int64_t first = channel / width * depth;
  const auto* input = static_cast<const T*>(task.input) +
                      (index / task.out_channels * task.channels + first) * task.sizes.product();
  Wide sum = 0;
  for (std::int64_t i = 0; i < depth; ++i) {
    const std::int64_t filter =
        task.is_transposed ? (first + i) * width + channel % width : channel * depth + i;
    sum =
        plane_sum<T>(task, input + i * task.sizes.product(),
                     static_cast<const T*>(task.weight) + filter * task.widths.product(), at, sum);
  }
  if (task.bias != nullptr) sum += convert<Wide>(static_cast<const T*>(task.bias)[channel]);
  return convert<T>(sum);
}

}  // namespace assay::cuda
