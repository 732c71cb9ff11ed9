// Tensors that share the storage of another.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// `offset` counts from the start of the storage; absent, the view begins where `tensor` does.
/// Raises `error` when the view would reach outside the storage.
Tensor as_strided(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                  std::optional<std::int64_t> offset = std::nullopt);

/// Broadcasts: new dimensions in front, and those of size 1 to any size, all with stride 0. A size
/// of -1 keeps the dimension. Raises `error` with both shapes where that cannot be.
Tensor expand(const Tensor& tensor, const Shape& sizes);

/// Another handle object on the same storage and version, without history (CORE-13).
Tensor detach(const Tensor& tensor);

/// The same elements in another shape. Copies nothing; the tensor must be contiguous.
Tensor view_as(const Tensor& tensor, const Shape& sizes);

/// The dimensions in another order.
Tensor permute(const Tensor& tensor, const Shape& order);

/// The whole storage as a flat tensor.
Tensor storage_of(const Tensor& tensor);

}  // namespace assay::reference
