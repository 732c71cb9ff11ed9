// The unscale of a scaler: launches that take the inverse of the scale themselves, and write the
// flag without its being cleared first.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/tensor_row.hpp"

namespace assay::cuda {

/// Device pointers.
struct UnscaleByScale {
  const float* scale;     ///< null: only checks
  float* found_inf;       ///< written by the last block; null: launches that follow write it
  std::uint32_t* ticket;  ///< 0 before the first launch and after the last
};

/// All rows are non-empty and of one dtype (float16, float32, float64). Launches with tables of the
/// size that the list needs, on the current device and stream. Several calls with one ticket must
/// be on one stream.
void launch_unscale_by_scale(Dtype dtype, std::span<const TensorRow<1>> rows,
                             const UnscaleByScale& work);
/// The same for one non-empty view with gaps.
void launch_unscale_by_scale(Dtype dtype, const StridedRow& row, const UnscaleByScale& work);

}  // namespace assay::cuda
