// Computations on sizes and strides.
#include "reference/core/tensor/geometry.hpp"

#include <algorithm>
#include <numeric>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

std::int64_t checked_multiply(std::int64_t left, std::int64_t right) {
  std::int64_t product = 0;
  check(!__builtin_mul_overflow(left, right, &product),
        [] { return "the size of the tensor: calculation overflowed 64 bits"; });
  return product;
}

}  // namespace

std::int64_t numel_of(const Shape& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    check(size >= 0, [&] { return "a size is negative dimension: " + to_text(sizes); });
    if (size == 0) count = 0;
  }
  if (count == 0) return 0;
  for (const std::int64_t size : sizes) count = checked_multiply(count, size);
  return count;
}

Shape contiguous_strides(const Shape& sizes) {
  Shape strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = checked_multiply(stride, std::max<std::int64_t>(sizes[dim], 1));  // CORE-12
  }
  return strides;
}

bool is_contiguous(const Shape& sizes, const Shape& strides) {
  if (std::ranges::count(sizes, 0) > 0) return true;
  std::int64_t expected = 1;
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    if (sizes[dim] == 1) continue;  // CORE-12
    if (strides[dim] != expected) return false;
    expected *= sizes[dim];
  }
  return true;
}

bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides) {
  if (std::ranges::count(sizes, 0) > 0) return true;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t dim) { return sizes[dim] == 1; });
  std::ranges::stable_sort(order, {}, [&](std::size_t dim) { return strides[dim]; });
  std::int64_t expected = 1;
  for (const std::size_t dim : order) {
    if (strides[dim] != expected) return false;
    expected *= sizes[dim];
  }
  return true;
}

std::int64_t extent_of(const Shape& sizes, const Shape& strides) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == 0) return 0;
    const std::int64_t reach = checked_multiply(sizes[dim] - 1, strides[dim]);
    check(!__builtin_add_overflow(last, reach, &last),
          [] { return "the extent of the view: calculation overflowed 64 bits"; });
  }
  return last + 1;
}

std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims) {
  check(dims > 0, ErrorKind::kIndex, [&] {
    return "dimension " + std::to_string(dim) + " was asked for, but the tensor has no dimensions";
  });
  check(dim >= -dims && dim < dims, ErrorKind::kIndex, [&] {
    return "Dimension out of range: expected to be in [" + std::to_string(-dims) + ", " +
           std::to_string(dims - 1) + "], but got " + std::to_string(dim);
  });
  return dim < 0 ? dim + dims : dim;
}

Shape broadcast_shapes(const Shape& left, const Shape& right) {
  const std::size_t dims = std::max(left.size(), right.size());
  Shape result(dims);
  for (std::size_t back = 1; back <= dims; ++back) {
    const std::int64_t l = back <= left.size() ? left[left.size() - back] : 1;
    const std::int64_t r = back <= right.size() ? right[right.size() - back] : 1;
    check(l == r || l == 1 || r == 1, [&] {
      return "shapes " + to_text(left) + " and " + to_text(right) + " cannot be broadcast together";
    });
    result[dims - back] = l == 1 ? r : l;
  }
  return result;
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    if (dim > 0) text += ", ";
    text += std::to_string(shape[dim]);
  }
  return text + "]";
}

}  // namespace assay::reference
