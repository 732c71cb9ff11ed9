// Clips gradients by their total norm.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Scales the gradients by min(1, max_norm / (norm + 1e-6)) and returns the norm, a 0-dim tensor of
/// their promoted dtype (OPT-009). An infinite norm turns finite gradients into 0 and infinite ones
/// into NaN (SCL-703).
Tensor clip_grad_norm_(Runtime& runtime, const std::vector<Tensor>& params, double max_norm);

}  // namespace assay::reference
