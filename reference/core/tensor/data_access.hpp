// Typed access to the data of a tensor (CORE-13).
#pragma once

#include <cstdint>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Null if `Tensor::data` is. Raises `error` if the tensor has another dtype. Does not bump the
/// version.
std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype);

}  // namespace assay::reference
