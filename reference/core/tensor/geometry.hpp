// Sizes and strides: number and positions of elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::reference {

using Shape = std::vector<std::int64_t>;

/// The number of elements; 1 for no dimensions (CORE-12). Raises `error` for a negative size or an
/// overflow.
std::int64_t numel_of(const Shape& sizes);

/// Row-major strides; a size of 0 is treated as 1 (CORE-12).
Shape contiguous_strides(const Shape& sizes);

bool is_contiguous(const Shape& sizes, const Shape& strides);
/// Returns whether the elements neither overlap
/// nor leave gaps, in any order of the dimensions.
bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides);

/// The number of storage elements that a view spans, counted from its offset; 0 if it is empty.
/// Raises `error` on overflow.
std::int64_t extent_of(const Shape& sizes, const Shape& strides);

/// Counts negative dimensions from the end. Raises `index` if out of range (CORE-12).
std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims);

/// The common shape for broadcasting. Raises `error`, with both shapes, if there is none.
Shape broadcast_shapes(const Shape& left, const Shape& right);

/// Formats as `[2, 3]`.
std::string to_text(const Shape& shape);

/// Calls `visit` with the offset of each element of a view, in row-major order.
template <typename Visit>
void for_each_offset(const Shape& sizes, const Shape& strides, std::int64_t offset,
                     const Visit& visit) {
  const std::int64_t count = numel_of(sizes);
  Shape index(sizes.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
      offset += strides[dim];
      if (++index[dim] < sizes[dim]) break;
      offset -= strides[dim] * sizes[dim];
      index[dim] = 0;
    }
  }
}

}  // namespace assay::reference
