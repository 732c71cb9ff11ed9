// Adding up the entries of a sparse tensor that share an index.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// The tensor itself if it is coalesced; otherwise a new one with every index once, in order. Sums
/// are in float32 and rounded once to the dtype.
Tensor coalesce(Runtime& runtime, const Tensor& sparse);

}  // namespace assay::reference
