// Geometry: what follows from sizes and strides alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::cuda {

using Shape = std::vector<std::int64_t>;

/// `[2, 3]`
std::string to_text(const Shape& shape);

/// Raises `error` for a negative size, and where an int64 cannot hold the number.
std::int64_t numel_of(const Shape& sizes);
/// Row-major; a size of 0 counts as 1 (CORE-12).
Shape contiguous_strides(const Shape& sizes);
bool is_contiguous(const Shape& sizes, const Shape& strides);
/// Some order of the elements has neither gap nor overlap.
bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides);
/// Elements from the first to behind the last; 0 where there are none. Raises `error` where an
/// int64 cannot hold the number. Strides are not negative.
std::int64_t extent_of(const Shape& sizes, const Shape& strides);
/// The bytes that so many elements need. Raises `error` where an int64 cannot hold the number.
std::size_t bytes_of(std::int64_t elements, std::size_t element_bytes, const Shape& sizes);

/// The shape that both can be broadcast to. Raises `error` with both sizes.
Shape broadcast(const Shape& a, const Shape& b);
/// Strides of a view of `sizes` that looks like `target`: 0 where a size of 1 is repeated.
/// `target` is what `broadcast` says, or larger.
Shape broadcast_strides(const Shape& sizes, const Shape& strides, const Shape& target);

/// The offset of each element from the first one, in elements, in row-major order.
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
