// Tensors in pinned host memory.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// On the CPU, its content unspecified; pinned where somebody hands such memory out (MEM-028). The
/// strides must not overlap and have no gaps.
Tensor empty_pinned(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype);

bool is_pinned(const Tensor& tensor);

/// The tensor itself if it is pinned, else a copy in pinned memory. Raises `error` for a tensor on
/// a device and where there are no devices (`not_implemented` there in 1.13): MEM-028.
Tensor pinned(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
