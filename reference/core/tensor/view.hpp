// Views, which share the storage of another tensor.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// `offset` is relative to the storage; if absent, it is that of `tensor`. Raises `error` if the
/// view exceeds the storage.
Tensor as_strided(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                  std::optional<std::int64_t> offset = std::nullopt);

/// Broadcasts with stride 0: adds leading dimensions and expands sizes of 1; a size of -1 keeps the
/// dimension. Raises `error`, with both shapes, if that is impossible.
Tensor expand(const Tensor& tensor, const Shape& sizes);

/// Returns an alias with the same storage and version but without history (CORE-13).
Tensor detach(const Tensor& tensor);

/// Reshapes without a copy; the tensor must be contiguous.
Tensor view_as(const Tensor& tensor, const Shape& sizes);

/// Reorders the dimensions.
Tensor permute(const Tensor& tensor, const Shape& order);

/// Returns the whole storage as a one-dimensional tensor.
Tensor storage_of(const Tensor& tensor);

}  // namespace assay::reference
