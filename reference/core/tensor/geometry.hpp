// Sizes and strides: how many elements there are, and where they lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::reference {

using Shape = std::vector<std::int64_t>;

/// Elements of a tensor of these sizes; 1 for no dimensions (CORE-12). Raises `error` for a
/// negative size and where the number overflows.
std::int64_t numel_of(const Shape& sizes);

/// Row-major strides, computed as if each size of 0 were 1 (CORE-12).
Shape contiguous_strides(const Shape& sizes);

bool is_contiguous(const Shape& sizes, const Shape& strides);
/// Every element has a place of its own, and the places have no gaps, in whatever order of the
/// dimensions.
bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides);

/// Elements of storage that a view needs, from its own offset on; 0 for an empty view. Raises
/// `error` where the number overflows.
std::int64_t extent_of(const Shape& sizes, const Shape& strides);

/// Counts negative dimensions from the end. Raises `index` out of range, CORE-12.
std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims);

/// The shape that both are broadcast to. Raises `error` with both shapes where there is none.
Shape broadcast_shapes(const Shape& left, const Shape& right);

/// `[2, 3]`
std::string to_text(const Shape& shape);

/// Visits the offset of each element of a view, in row-major order of its sizes.
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
