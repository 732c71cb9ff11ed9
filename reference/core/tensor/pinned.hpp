// Tensors in pinned (page-locked) host memory.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Returns a CPU tensor with unspecified content; pinned if a pinned allocator is installed
/// (MEM-028). The strides must be dense and without overlap.
Tensor empty_pinned(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype);

bool is_pinned(const Tensor& tensor);

/// Returns the tensor itself if it is pinned, otherwise a pinned copy. Raises `error` for a device
/// tensor, and if there are no devices (`not_implemented` in 1.13): MEM-028.
Tensor pinned(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
