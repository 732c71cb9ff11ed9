// Typed access to a tensor's data (CORE-13).
#pragma once

#include <cstdint>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Null where `Tensor::data` is. Raises `error` when the tensor has another dtype. Bumps no
/// version.
std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype);

}  // namespace assay::reference
