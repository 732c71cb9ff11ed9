// Matrix multiplication, and convolution over one to three dimensions with its transpose.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"

namespace assay::cuda {

/// A batch of matrices of any layout. Strides are in elements; 0 repeats a matrix, row or column.
struct Matrices {
  const void* data = nullptr;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// out[batch, rows, columns] = alpha * left[batch, rows, inner] @ right[batch, inner, columns]
///                             + beta * bias[batch, rows, columns]
/// The output is contiguous. A bias with null data is omitted. Floating types only.
struct MatmulTask {
  Dtype dtype = Dtype::kFloat32;
  std::int64_t batches = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t inner = 0;
  Matrices left;
  Matrices right;
  Matrices bias;
  double alpha = 1;
  double beta = 0;
  void* out = nullptr;
};

void launch_matmul(const MatmulTask& task);

/// Three numbers, outermost first. Fewer dimensions leave the first ones at their neutral values.
struct Triple {
  std::int64_t of[3] = {1, 1, 1};

  __host__ __device__ std::int64_t product() const { return of[0] * of[1] * of[2]; }
};

/// Computes out[batch, out_channels, out_sizes] from contiguous input[batch, channels, sizes] and
/// weight[out_channels, channels / groups, widths], transposed weight[channels, out_channels /
/// groups, widths]. `bias` has out_channels elements, or is null.
struct ConvolutionTask {
  Dtype dtype = Dtype::kFloat32;
  bool is_transposed = false;
  std::int64_t batches = 1;
  std::int64_t channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;
  Triple sizes;
  Triple out_sizes;
  Triple widths;
  Triple stride;
  Triple padding{{0, 0, 0}};
  Triple dilation;
  const void* input = nullptr;
  const void* weight = nullptr;
  const void* bias = nullptr;
  void* out = nullptr;

  __host__ __device__ std::int64_t count() const {
    return batches * out_channels * out_sizes.product();
  }
};

void launch_convolution(const ConvolutionTask& task);

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
