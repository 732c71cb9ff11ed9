// The unscaling of gradients as launches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/scaler/scale_state.hpp"
#include "cuda_impl/kernels/tensor_row.hpp"

namespace assay::cuda {

/// Addresses of a device.
struct UnscaleScalars {
  const float* inv_scale;
  float* found_inf;
};

struct ScaleUpdate {
  ScaleState state;
  ScaleFactors factors;
};

/// Rows that all have elements, of float16, bfloat16, float32 or float64, on the current device's
/// current stream. With `update` the last block of the last launch updates the scale, or one more
/// launch does where blocks have no counter; there must be a row then.
void launch_unscale(Dtype dtype, std::span<const TensorRow<1>> rows, const UnscaleScalars& scalars,
                    const std::optional<ScaleUpdate>& update = std::nullopt);

/// A view without dense layout. Dimensions that can be walked as one are one.
struct StridedRow {
  static constexpr int kMostDims = 25;
  void* data;
  std::int64_t count;
  int dims;
  std::int64_t sizes[kMostDims];
  std::int64_t strides[kMostDims];  ///< in elements
};

void launch_unscale_strided(Dtype dtype, const StridedRow& row, const UnscaleScalars& scalars);

}  // namespace assay::cuda
