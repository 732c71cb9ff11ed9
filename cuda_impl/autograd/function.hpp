// Autograd functions with a user-defined forward and backward.
#pragma once

#include <functional>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autograd {

struct ForwardResult {
  Tensor result;
  std::vector<Tensor> saved;  ///< for backward
};
using Forward = std::function<ForwardResult()>;
/// Returns one gradient for each input; missing ones at the end count as undefined.
using Backward =
    std::function<std::vector<Tensor>(const Tensor& gradient, const std::vector<Tensor>& saved)>;

/// Runs `forward` with grad mode disabled. Records the result if some input requires a gradient and
/// the caller's grad mode is enabled.
Tensor run_function(const std::vector<Tensor>& inputs, const Forward& forward, Backward backward);

/// Records `made` even if no input requires a gradient, because tensors captured by `backward` may
/// require one.
Tensor recorded_always(const Tensor& made, const std::vector<Tensor>& inputs,
                       std::function<std::vector<Tensor>(const Tensor& gradient)> backward);

}  // namespace assay::cuda::autograd
