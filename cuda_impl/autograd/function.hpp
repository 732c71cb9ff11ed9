// Operators whose forward and backward a user writes.
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
/// One gradient for each input; fewer are filled up with undefined ones.
using Backward =
    std::function<std::vector<Tensor>(const Tensor& gradient, const std::vector<Tensor>& saved)>;

/// Runs `forward` without grad mode. Its result is recorded as made of the inputs, where one of
/// them requires a gradient and the caller is in grad mode.
Tensor run_function(const std::vector<Tensor>& inputs, const Forward& forward, Backward backward);

/// `made` as made of the inputs, also where none of them requires a gradient: tensors that
/// `backward` knows by itself may.
Tensor recorded_always(const Tensor& made, const std::vector<Tensor>& inputs,
                       std::function<std::vector<Tensor>(const Tensor& gradient)> backward);

}  // namespace assay::cuda::autograd
