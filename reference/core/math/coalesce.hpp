// Coalesces sparse tensors: adds up entries with equal indices.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Returns the tensor itself if it is coalesced, otherwise a new tensor with sorted, unique
/// indices. Sums are computed in float32 and rounded once.
Tensor coalesce(Runtime& runtime, const Tensor& sparse);

}  // namespace assay::reference
