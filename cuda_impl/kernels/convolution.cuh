// Convolution over one to three dimensions, and its transpose.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

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

}  // namespace assay::cuda
