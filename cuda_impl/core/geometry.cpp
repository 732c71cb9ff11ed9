// Computations on sizes and strides.
#include "cuda_impl/core/geometry.hpp"

#include <algorithm>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr const char* kOverflow = "Storage size calculation overflowed with sizes=";

std::int64_t checked_product(std::int64_t a, std::int64_t b, const Shape& sizes) {
  std::int64_t product = 0;
  require(!__builtin_mul_overflow(a, b, &product), [&] { return kOverflow + to_text(sizes); });
  return product;
}

std::int64_t checked_sum(std::int64_t a, std::int64_t b, const Shape& sizes) {
  std::int64_t sum = 0;
  require(!__builtin_add_overflow(a, b, &sum), [&] { return kOverflow + to_text(sizes); });
  return sum;
}

bool has_no_elements(const Shape& sizes) {
  return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

}  // namespace

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::int64_t numel_of(const Shape& sizes) {
  std::int64_t numel = 1;
  for (const std::int64_t size : sizes) {
    require(size >= 0, [&] {
      return "Trying to create tensor with negative dimension " + std::to_string(size) + ": " +
             to_text(sizes);
    });
  }
  for (const std::int64_t size : sizes) numel = checked_product(numel, size, sizes);
  return numel;
}

Shape contiguous_strides(const Shape& sizes) {
  Shape strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i > 1; --i) {
    // Only an empty tensor can have sizes this large, and its strides are never used.
    if (__builtin_mul_overflow(strides[i - 1], std::max<std::int64_t>(sizes[i - 1], 1),
                               &strides[i - 2])) {
      throw Error(kOverflow + to_text(sizes));
    }
  }
  return strides;
}

bool is_contiguous(const Shape& sizes, const Shape& strides) {
  if (has_no_elements(sizes)) return true;
  std::int64_t expected = 1;
  for (std::size_t i = sizes.size(); i > 0; --i) {
    if (sizes[i - 1] == 1) continue;  // the stride is irrelevant
    if (strides[i - 1] != expected) return false;
    expected *= sizes[i - 1];
  }
  return true;
}

bool is_non_overlapping_and_dense(const Shape& sizes, const Shape& strides) {
  if (has_no_elements(sizes)) return true;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t expected = 1;
  for (const std::size_t dim : order) {
    if (strides[dim] != expected) return false;
    expected *= sizes[dim];
  }
  return true;
}

std::int64_t extent_of(const Shape& sizes, const Shape& strides) {
  if (has_no_elements(sizes)) return 0;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    last = checked_sum(last, checked_product(sizes[i] - 1, strides[i], sizes), sizes);
  }
  return checked_sum(last, 1, sizes);
}

std::size_t bytes_of(std::int64_t elements, std::size_t element_bytes, const Shape& sizes) {
  return static_cast<std::size_t>(
      checked_product(elements, static_cast<std::int64_t>(element_bytes), sizes));
}

Shape broadcast(const Shape& a, const Shape& b) {
  const std::size_t dims = std::max(a.size(), b.size());
  Shape result(dims, 1);
  for (std::size_t i = 0; i < dims; ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    require(left == right || left == 1 || right == 1, [&] {
      return "The size of tensor a (" + std::to_string(left) +
             ") must match the size of tensor b (" + std::to_string(right) +
             ") at non-singleton dimension " + std::to_string(dims - 1 - i);
    });
    result[dims - 1 - i] = left == 1 ? right : left;
  }
  return result;
}

Shape broadcast_strides(const Shape& sizes, const Shape& strides, const Shape& target) {
  Shape result(target.size(), 0);
  const std::size_t lead = target.size() - sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_repeated = sizes[i] == 1 && target[lead + i] != 1;
    result[lead + i] = is_repeated ? 0 : strides[i];
  }
  return result;
}

}  // namespace assay::cuda
