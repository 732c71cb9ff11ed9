// Applies a scalar function to every element on the host: for operators whose speed does not
// matter.
#pragma once

#include <functional>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::aten {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// Broadcasts and promotes; integers become float32. Computes in double and rounds once.
Tensor map_elements(const std::function<double(double)>& function, const Tensor& tensor);
Tensor map_elements(const std::function<double(double, double)>& function, const Tensor& left,
                    const Tensor& right);

}  // namespace assay::cuda::aten
