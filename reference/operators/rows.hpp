// Reductions over any set of dimensions, and computing on the rows of a tensor along some of them,
// in the types of CORE-22.
#pragma once

#include <span>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

/// The dimensions to reduce; an empty list means all.
struct Dims {
  std::vector<std::int64_t> dims;
  bool keep = false;
};

/// The sizes of the result. Raises `index` for an
/// invalid dimension and `error` for a repeated one.
Shape reduced_sizes(const Tensor& tensor, const Dims& over);

/// Rearranges the elements into one row for each element of the result.
Tensor rows_of(Runtime& runtime, const Tensor& tensor, const Dims& over);

/// Inserts sizes of 1 for the reduced `dims`, so that the result broadcasts against the input.
Shape broadcastable_sizes(const Shape& sizes, const std::vector<std::int64_t>& dims);

/// Converts the dtype as a part of the operator: counts no copy.
Tensor as_dtype(Runtime& runtime, const Tensor& tensor, ScalarType dtype);

// Rows.

/// One result for each row: `function(std::span<const T> row) -> T`, with T the computation type.
template <typename Function>
Tensor reduce_rows(Runtime& runtime, const char* name, const Tensor& input, const Dims& over,
                   Function function) {
  check_computes(input.dtype());
  Tensor result = empty(runtime, reduced_sizes(input, over), input.dtype(), input.device());
  count_launch(runtime, input.device());
  if (result.data() == nullptr) return result;
  const auto kernel = [from = borrowed(rows_of(runtime, input, over)), to = borrowed(result),
                       function]<typename T>(T) {
    const std::vector<T> elements = elements_of<T>(from);
    const auto length = static_cast<std::size_t>(from.size(1));
    std::vector<T> results;
    for (std::size_t row = 0; row < static_cast<std::size_t>(from.size(0)); ++row) {
      results.push_back(function(std::span<const T>(elements.data() + row * length, length)));
    }
    store_elements(to, results);
  };
  launch_compute(runtime, input.device(), name, input.dtype(), kernel);
  return result;
}

/// Rewrites each row along one dimension: `function(std::span<T> row)`. A tensor without dimensions
/// is one row.
template <typename Function>
Tensor rewrite_rows(Runtime& runtime, const char* name, const Tensor& input, std::int64_t dim,
                    Function function) {
  check_computes(input.dtype());
  const std::int64_t at = wrap_dim(dim, std::max<std::int64_t>(input.dim(), 1));
  Tensor result = empty(runtime, input.sizes(), input.dtype(), input.device());
  count_launch(runtime, input.device());
  if (result.data() == nullptr) return result;
  Shape order;
  for (std::int64_t i = 0; i < input.dim(); ++i) {
    if (i != at) order.push_back(i);
  }
  if (input.dim() > 0) order.push_back(at);
  const auto kernel = [from = borrowed(rows_of(runtime, input, {.dims = {at}})),
                       to = borrowed(permute(result, order)), function]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(from);
    const auto length = static_cast<std::size_t>(from.size(1));
    for (std::size_t first = 0; first < elements.size(); first += length) {
      function(std::span<T>(elements.data() + first, length));
    }
    store_elements(to, elements);
  };
  launch_compute(runtime, input.device(), name, input.dtype(), kernel);
  return result;
}

}  // namespace assay::reference
