// Functions of single numbers, applied to every element by the host: for operators that need no
// speed.
#pragma once

#include <initializer_list>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::aten {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// Broadcast and promoted; integers become float32. Computed in double, rounded once.
Tensor map_elements(Unary function, const Tensor& tensor);
Tensor map_elements(Binary function, const Tensor& left, const Tensor& right);

}  // namespace assay::cuda::aten
