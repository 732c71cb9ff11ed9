// Launches of the unscale kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/scaler/scale_state.hpp"
#include "cuda_impl/kernels/tensor_row.hpp"

namespace assay::cuda {

/// Device pointers.
struct UnscaleScalars {
  const float* inv_scale;
  float* found_inf;
};

struct ScaleUpdate {
  ScaleState state;
  ScaleFactors factors;
};

/// All rows are non-empty and of one dtype (float16, bfloat16, float32, float64); launches on the
/// current device and stream. `update` needs at least one row: the last block of the last launch
/// updates the scale, or a separate launch if no block counter is available.
void launch_unscale(Dtype dtype, std::span<const TensorRow<1>> rows, const UnscaleScalars& scalars,
                    const std::optional<ScaleUpdate>& update = std::nullopt);

/// A view that is not dense. Adjacent dimensions are merged where strides allow.
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
