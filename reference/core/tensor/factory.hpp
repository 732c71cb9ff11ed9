// Tensors from nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Contiguous, its content unspecified (every byte is ff). `device` is resolved (CORE-20).
Tensor empty(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device);
/// The strides are the caller's; they must not overlap and have no gaps.
Tensor empty_strided(Runtime& runtime, const Shape& sizes, const Shape& strides, ScalarType dtype,
                     Device device);
Tensor zeros(Runtime& runtime, const Shape& sizes, ScalarType dtype, Device device);
/// `value` is rounded to the dtype.
Tensor full(Runtime& runtime, const Shape& sizes, double value, ScalarType dtype, Device device);
/// 0-dim.
Tensor scalar_tensor(Runtime& runtime, double value, ScalarType dtype, Device device);

/// Contiguous elements, little-endian. Raises `error` when there are too few or too many bytes.
Tensor from_bytes(Runtime& runtime, std::vector<std::uint8_t> bytes, const Shape& sizes,
                  ScalarType dtype, Device device);

/// Shares both parts. Raises `error` when they do not fit each other or the shape.
Tensor sparse_coo(const Tensor& indices, const Tensor& values, const Shape& sizes, bool coalesced);

}  // namespace assay::reference
