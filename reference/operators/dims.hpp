// Reducing over any dimensions.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Over which dimensions: none means all.
struct Dims {
  std::vector<std::int64_t> dims;
  bool keep = false;
};

/// The sizes that are left. Raises `index` for a dimension that is not there, `error` for one that
/// is there twice.
Shape reduced_sizes(const Tensor& tensor, const Dims& over);

/// The same elements, one row of them for each element of the result.
Tensor rows_of(Runtime& runtime, const Tensor& tensor, const Dims& over);

/// Sizes 1 where `dims` were taken out, so that the result broadcasts against the tensor again.
Shape broadcastable_sizes(const Shape& sizes, const std::vector<std::int64_t>& dims);

/// In another dtype; it is a part of the operator, so nothing is counted.
Tensor as_dtype(Runtime& runtime, const Tensor& tensor, ScalarType dtype);

}  // namespace assay::reference
