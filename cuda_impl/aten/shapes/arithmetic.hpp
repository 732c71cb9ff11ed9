// Arithmetic on shapes.
#pragma once

#include <cstdint>
#include <utility>

#include "cuda_impl/core/geometry.hpp"

namespace assay::cuda::aten {

/// Dimensions from the end count from -1. Raises `index` for one that is not there; a shape without
/// dimensions takes 0 and -1.
std::size_t wrapped(std::int64_t dim, const Shape& shape);
/// From the end: `from_end(shape, 1)` is the last size. Raises `error` where there are not so many.
std::int64_t from_end(const Shape& shape, std::size_t i);
/// Raises `error` for a shape of fewer dimensions.
void expect_dims(const Shape& shape, std::size_t least);
/// Without the last `count` sizes.
Shape leading(const Shape& shape, std::size_t count);
Shape joined(Shape left, const Shape& right);
/// What a reduction leaves; no dimensions stand for all.
Shape reduced(const Shape& shape, const Shape& dims, bool keepdim);
/// With the last sizes replaced.
Shape with_last(const Shape& shape, const Shape& last);

/// A window that slides over one dimension.
struct Window {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  bool rounds_up = false;
};
/// How many places it takes. Raises `error` for none.
std::int64_t places_of(const Window& window, std::int64_t length);
/// The length from which it takes so many, and `more`: what a transposed convolution makes.
std::int64_t length_of(const Window& window, std::int64_t places, std::int64_t more);

}  // namespace assay::cuda::aten
