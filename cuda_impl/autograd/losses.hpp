// The loss of picked classes, recorded.
#pragma once

#include "cuda_impl/operators/losses.hpp"

namespace assay::cuda::autograd {

/// Raises `error` in grad mode if the weight requires a gradient.
Tensor class_loss(const ClassLoss& given, Reduction reduction);

}  // namespace assay::cuda::autograd
