// Many elements become one: deterministic, accumulated as CORE-22 asks.
#pragma once

#include <optional>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Which dimensions go; all of them where none is named. Negative ones count from the end.
struct Reduced {
  Shape dims;
  bool keepdim = false;
  std::optional<Dtype> dtype;  ///< of the result, and cast to before
};

/// Integers and bools add up in int64. Of nothing 0.
Tensor sum(const Tensor& tensor, const Reduced& reduced = {});
/// Raises `error` for integers. Of nothing NaN.
Tensor mean(const Tensor& tensor, const Reduced& reduced = {});
/// Of order `p`: 2 where nothing else is said; also 0, 1 and both infinities. Of nothing 0.
Tensor norm(const Tensor& tensor, double p = 2, const Reduced& reduced = {});
/// NaN where one element is. Raises `error` for nothing.
Tensor max(const Tensor& tensor);
/// Is there one that is not 0? NaN is not. Of nothing false.
Tensor any(const Tensor& tensor);

/// The sum without rounding in between: of half types as float32, else as `sum` gives it.
Tensor sum_wide(const Tensor& tensor);

}  // namespace assay::cuda
