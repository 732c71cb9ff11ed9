// The arguments of optimizer kernels: one row of pointers for each parameter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/tensor_row.hpp"

namespace assay::cuda {

/// The tensors of one parameter, all of one dtype and one memory order. Absent tensors are null.
/// The step applies to the first `count` elements, at least 1. If the first tensor is null, the
/// step updates only the row's scalars.
template <std::size_t kLists>
using StepRow = TensorRow<static_cast<int>(kLists)>;

/// Whether a step rounds after each operator (stepwise) or is one operator (fused).
enum class StepArithmetic : std::uint8_t { kStepwise, kFused };

/// Scalars of the gradient scaler, float32, on the rows' device; null where the scaler passes none.
struct ScalerPointers {
  const float* grad_scale = nullptr;
  const float* found_inf = nullptr;
};

/// The device and dtype of the rows.
struct StepPlace {
  Dtype dtype = Dtype::kFloat32;
  bool on_device = false;  ///< the current device, on its current stream
  /// A device word that is 0 before and after the step; required if rows have scalars.
  std::uint32_t* ticket = nullptr;
};

}  // namespace assay::cuda
