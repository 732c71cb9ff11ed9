// Launches of the unscale and of the scale update, with their arguments.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <optional>
#include <span>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/multi_tensor.hpp"

namespace assay::cuda {

/// Device pointers. `found_inf` may alias `scale` (AMP-119).
struct ScaleState {
  float* scale;
  std::int32_t* growth_tracker;
  const float* found_inf;
};

struct ScaleFactors {
  double growth;
  double backoff;
  std::int32_t interval;   ///< AMP-111: the int64 truncated to 32 bits
  bool grows_to_infinity;  ///< AMP-106: as in 1.13
};

/// Makes one launch of one thread on the current device's current stream (AMP-120).
void launch_update_scale(const ScaleState& state, const ScaleFactors& factors);
/// The same without checking and counting the launch, for benchmarks of these two.
[[nodiscard]] cudaError_t try_launch_update_scale(const ScaleState& state,
                                                  const ScaleFactors& factors);

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

/// All pointers are on the current device. One thread writes `inverse` and `flag`.
struct InverseScale {
  const float* scale = nullptr;
  float* inverse = nullptr;
  float* flag = nullptr;
};
void launch_inverse_scale(const InverseScale& work);

}  // namespace assay::cuda
