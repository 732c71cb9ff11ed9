// Computations on shapes.
#include "cuda_impl/aten/shapes/arithmetic.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::aten {

std::size_t wrapped(std::int64_t dim, const Shape& shape) {
  const std::int64_t count = std::max<std::int64_t>(static_cast<std::int64_t>(shape.size()), 1);
  require(dim >= -count && dim < count, ErrorKind::kIndex, [&] {
    return "Dimension out of range (expected to be in range of [" + std::to_string(-count) + ", " +
           std::to_string(count - 1) + "], but got " + std::to_string(dim) + ")";
  });
  return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

void expect_dims(const Shape& shape, std::size_t least) {
  require(shape.size() >= least, [&] {
    return "expected a tensor of at least " + std::to_string(least) + " dimensions, but got " +
           to_text(shape);
  });
}

std::int64_t from_end(const Shape& shape, std::size_t i) {
  expect_dims(shape, i);
  return shape[shape.size() - i];
}

Shape leading(const Shape& shape, std::size_t count) {
  expect_dims(shape, count);
  return {shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(count)};
}

Shape joined(Shape left, const Shape& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Shape reduced(const Shape& shape, const Shape& dims, bool keepdim) {
  std::vector<bool> goes(std::max<std::size_t>(shape.size(), 1), dims.empty());
  for (const std::int64_t dim : dims) goes[wrapped(dim, shape)] = true;
  Shape left;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!goes[i]) left.push_back(shape[i]);
    if (goes[i] && keepdim) left.push_back(1);
  }
  return left;
}

Shape with_last(const Shape& shape, const Shape& last) {
  return joined(leading(shape, last.size()), last);
}

std::int64_t places_of(const Window& window, std::int64_t length) {
  const std::int64_t reach = window.dilation * (window.size - 1) + 1;
  const std::int64_t room = length + 2 * window.padding - reach;
  require(room >= 0 && window.stride > 0, [&] {
    return "a window of " + std::to_string(reach) + " does not fit into a padded size of " +
           std::to_string(length + 2 * window.padding);
  });
  const std::int64_t steps =
      window.rounds_up ? (room + window.stride - 1) / window.stride : room / window.stride;
  // A window that would start in the right padding does not count.
  const bool is_outside = window.rounds_up && steps * window.stride >= length + window.padding;
  return steps + (is_outside ? 0 : 1);
}

std::int64_t length_of(const Window& window, std::int64_t places, std::int64_t more) {
  return (places - 1) * window.stride - 2 * window.padding + window.dilation * (window.size - 1) +
         more + 1;
}

}  // namespace assay::cuda::aten
