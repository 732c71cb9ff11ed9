// What optimizers hand to their kernels: one row of pointers for each parameter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// Tensors of one parameter, all of them of the same type and of the same order in memory. A
/// pointer is null where there is nothing. The first `count` elements are stepped; a row without
/// elements has no parameter, and only its scalars are.
template <std::size_t kLists>
struct StepRow {
  std::array<void*, kLists> data;
  std::int64_t count;
};

/// How many operators a step consists of: each rounds its result.
enum class StepArithmetic : std::uint8_t { kStepwise, kFused };

/// What a scaler has lent, where the rows are: float32, or null.
struct LentToKernel {
  const float* grad_scale = nullptr;
  const float* found_inf = nullptr;
};

/// Where rows are, and what they are of.
struct StepPlace {
  Dtype dtype = Dtype::kFloat32;
  bool on_device = false;  ///< the current one, in the order of its current stream
  /// A word of the device that is 0 before and after; needed where rows have scalars.
  std::uint32_t* ticket = nullptr;
};

}  // namespace assay::cuda
