// One number into all elements, and one element out as a number.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

/// Raises `error` when the value is out of the dtype's range (CORE-07). Returns the tensor.
Tensor fill_(Runtime& runtime, const Tensor& tensor, const Scalar& value);

/// The one element as bool, int or float. Raises `error` (`value` in 1.13) for another
/// number of elements, `not_implemented` (in 1.13) or `error` on meta (CORE-23). On a CUDA device
/// the host waits for it.
Scalar item(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
