// Typed access to the data of a tensor (CORE-13), filling it with a number, and reading a
// one-element tensor.
#pragma once

#include <cstdint>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

/// Null if `Tensor::data` is. Raises `error` if the tensor has another dtype. Does not bump the
/// version.
std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype);

/// Raises `error` if the value is out of the dtype's range (CORE-07). Returns the tensor.
Tensor fill_(Runtime& runtime, const Tensor& tensor, const Scalar& value);

/// Returns the only element as bool, int or float. Raises `error` (`value` in 1.13) for another
/// number of elements and `error` (`not_implemented` in 1.13) for a meta tensor (CORE-23). For a
/// CUDA tensor the host waits.
Scalar item(Runtime& runtime, const Tensor& tensor);

}  // namespace assay::reference
