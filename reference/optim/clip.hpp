// Clipping gradients by their common norm.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Scales every gradient by max_norm / (norm + 1e-6), but never up, and returns the norm, a tensor
/// without dimensions of a type that can hold all of theirs (OPT-009). A norm that is infinite
/// makes every finite gradient 0 and every infinite one NaN (SCL-703).
Tensor clip_grad_norm_(Runtime& runtime, const std::vector<Tensor>& params, double max_norm);

}  // namespace assay::reference
