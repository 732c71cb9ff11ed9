// Computations on shapes.
#pragma once

#include <cstdint>

#include "cuda_impl/core/geometry.hpp"

namespace assay::cuda::aten {

/// Converts a dimension, where -1 is the last one. Raises `index` if out of range; a shape without
/// dimensions accepts 0 and -1.
std::size_t wrapped(std::int64_t dim, const Shape& shape);
/// `from_end(shape, 1)` is the last size. Raises `error` if there are too few.
std::int64_t from_end(const Shape& shape, std::size_t i);
/// Raises `error` for a shape with fewer dimensions.
void expect_dims(const Shape& shape, std::size_t least);
/// Returns the shape without its last `count` sizes.
Shape leading(const Shape& shape, std::size_t count);
Shape joined(Shape left, const Shape& right);
/// Returns the result's shape of a reduction; an empty `dims` means all.
Shape reduced(const Shape& shape, const Shape& dims, bool keepdim);
/// Replaces the last sizes.
Shape with_last(const Shape& shape, const Shape& last);

/// A sliding window over one dimension.
struct Window {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  bool rounds_up = false;
};
/// Returns the number of window positions. Raises `error` if there is none.
std::int64_t places_of(const Window& window, std::int64_t length);
/// The inverse for transposed convolutions: the length with so many positions, plus `more`.
std::int64_t length_of(const Window& window, std::int64_t places, std::int64_t more);

}  // namespace assay::cuda::aten
