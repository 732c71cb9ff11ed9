// One-dimensional convolution.
#pragma once

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// Computes out[batch, out_channels, out_length] from contiguous input[batch, channels, length] and
/// weight[out_channels, channels / groups, width]. `bias` has out_channels elements, or is null.
struct Conv1dTask {
  Dtype dtype = Dtype::kFloat32;
  std::int64_t batches = 1;
  std::int64_t channels = 1;
  std::int64_t length = 1;
  std::int64_t out_channels = 1;
  std::int64_t out_length = 1;
  std::int64_t width = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
  const void* input = nullptr;
  const void* weight = nullptr;
  const void* bias = nullptr;
  void* out = nullptr;
};

void launch_conv1d(const Conv1dTask& task);

}  // namespace assay::cuda
