// Operators that a client writes: a forward and a backward of its own.
#pragma once

#include <functional>

#include "reference/autograd/node.hpp"

namespace assay::reference {

struct ForwardResult {
  Tensor result;
  std::vector<Tensor> saved;  ///< for backward
};

using ForwardFunction = std::function<ForwardResult()>;
/// As many gradients as there were inputs, or fewer.
using BackwardFunction =
    std::function<Gradients(const Tensor& grad, const std::vector<Tensor>& saved)>;

/// Runs `forward` with grad mode off, and remembers `backward` if one of `inputs` requires a
/// gradient. `inputs` has an undefined tensor for each argument that is none.
Tensor run_function(Runtime& runtime, const std::vector<Tensor>& inputs,
                    const ForwardFunction& forward, BackwardFunction backward);

}  // namespace assay::reference
