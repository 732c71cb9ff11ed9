// Reductions over any set of dimensions.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

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

}  // namespace assay::reference
