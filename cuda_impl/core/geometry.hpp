// Geometry: computations on sizes and strides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cuda {

using Shape = std::vector<std::int64_t>;

/// The same as `==`, which is a call that takes longer than so few numbers.
inline bool are_equal(const Shape& a, const Shape& b) {
  const std::size_t dims = a.size();
  if (b.size() != dims) return false;
  for (std::size_t d = 0; d < dims; ++d) {
    if (a[d] != b[d]) return false;
  }
  return true;
}
/// Returns `[2, 3]`.
std::string to_text(const Shape& shape);

/// Raises `error` for a negative size, or if the product overflows int64.
std::int64_t numel_of(const Shape& sizes);
/// Returns row-major strides, with a size of 0 counted as 1 (CORE-12).
Shape contiguous_strides(const Shape& sizes);
bool is_contiguous(const Shape& sizes, const Shape& strides);
/// Returns whether some order of the dimensions has neither gaps nor overlap.
bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides);
/// Returns the number of elements from the first to the last, inclusive; 0 for an empty shape.
/// Raises `error` if it overflows int64. Strides must not be negative.
std::int64_t extent_of(const Shape& sizes, const Shape& strides);
/// Returns the size of `elements` elements in bytes. Raises `error` if it overflows int64.
std::size_t bytes_of(std::int64_t elements, std::size_t element_bytes, const Shape& sizes);

/// Returns the common broadcast shape. Raises `error`, naming both shapes, if there is none.
Shape broadcast(const Shape& a, const Shape& b);
/// Returns the strides of a view expanded to `target`, with stride 0 for repeated dimensions.
/// `target` must be a shape that `sizes` can be broadcast to.
Shape broadcast_strides(const Shape& sizes, const Shape& strides, const Shape& target);

/// Calls `action` with each element's offset from the first one, in row-major order.
template <typename Action>
void for_each_offset(const Shape& sizes, const Shape& strides, const Action& action) {
  for (const std::int64_t size : sizes) {
    if (size == 0) return;
  }
  Shape index(sizes.size(), 0);
  std::int64_t offset = 0;
  while (true) {
    action(offset);
    std::size_t dim = sizes.size();
    while (dim > 0 && index[dim - 1] + 1 == sizes[dim - 1]) {
      --dim;
      offset -= index[dim] * strides[dim];
      index[dim] = 0;
    }
    if (dim == 0) return;
    ++index[dim - 1];
    offset += strides[dim - 1];
  }
}

}  // namespace assay::cuda
