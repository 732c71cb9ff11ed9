// Client-defined autograd functions with forward and backward.
#pragma once

#include <functional>

#include "reference/autograd/node.hpp"

namespace assay::reference {

struct ForwardResult {
  Tensor result;
  std::vector<Tensor> saved;  ///< for backward
};

using ForwardFunction = std::function<ForwardResult()>;
/// May return fewer gradients than there are inputs.
using BackwardFunction =
    std::function<Gradients(const Tensor& grad, const std::vector<Tensor>& saved)>;

/// Runs `forward` with grad mode disabled, and records `backward` if some input requires a
/// gradient. `inputs` has an undefined tensor for each argument that is not a tensor.
Tensor run_function(Runtime& runtime, const std::vector<Tensor>& inputs,
                    const ForwardFunction& forward, BackwardFunction backward);

}  // namespace assay::reference
