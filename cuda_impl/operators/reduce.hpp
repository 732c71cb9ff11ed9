// Deterministic reductions with the accumulation types of CORE-22; running sums and products along
// a dimension.
#pragma once

#include <optional>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The dimensions to reduce; if empty, all. Negative ones count from the end.
struct Reduced {
  Shape dims;
  bool keepdim = false;
  std::optional<Dtype> dtype;  ///< the result dtype, to which the input is converted first
};

/// Integers and bools are summed in int64. The sum of no elements is 0.
Tensor sum(const Tensor& tensor, const Reduced& reduced = {});
/// Integers and bools are multiplied in int64. The product of no elements is 1.
Tensor prod(const Tensor& tensor, const Reduced& reduced = {});
/// Raises `error` for integers. The mean of no elements is NaN.
Tensor mean(const Tensor& tensor, const Reduced& reduced = {});
/// The p-norm; p may be 0, 1, 2 or an infinity. The norm of no elements is 0.
Tensor norm(const Tensor& tensor, double p = 2, const Reduced& reduced = {});
/// Returns NaN if some element is NaN. Raises `error` for no elements.
Tensor max(const Tensor& tensor);
/// Returns whether some element is not 0; NaN is not 0. False for no elements.
Tensor any(const Tensor& tensor);

enum class Scan : std::uint8_t { kSum, kProduct };
/// Converts the input to `dtype` first, if given; integers and bools become int64 otherwise.
Tensor scan(Scan what, const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});

}  // namespace assay::cuda
