// Factory functions of tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Contiguous, with unspecified content (all bytes are ff). `device` must be resolved (CORE-20).
Tensor empty(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device);
/// The strides must be dense and without overlap.
Tensor empty_strided(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype,
                     Device device);
Tensor zeros(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device);
/// Rounds `value` to the dtype.
Tensor full(Runtime& runtime, const Shape& sizes, double value, ScalarType dtype, Device device);
/// Returns a 0-dim tensor.
Tensor scalar_tensor(Runtime& runtime, double value, ScalarType dtype, Device device);

/// From contiguous little-endian elements. Raises `error` if the number of bytes does not match.
Tensor from_bytes(Runtime& runtime, std::vector<std::uint8_t> bytes, const Shape& sizes,
                  ScalarType dtype, Device device);

/// Shares `indices` and `values`. Raises `error` if they do not match each other or the shape.
Tensor sparse_coo(const Tensor& indices, const Tensor& values, const Shape& sizes, bool coalesced);

}  // namespace assay::reference
