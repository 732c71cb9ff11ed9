// Autograd nodes whose derivative is a callable.
#pragma once

#include <functional>

#include "reference/autograd/node.hpp"
#include "reference/autograd/saved.hpp"

namespace assay::reference {

/// Maps the gradient of the single result to the gradients of the inputs.
using Derivative = std::function<Gradients(Runtime& runtime, const Tensor& grad)>;

/// Records a node for `result` if some input requires a gradient and grad mode is enabled.
void record(Runtime& runtime, std::string kind, const std::vector<Tensor>& inputs,
            const Tensor& result, Derivative derivative);

/// Records a node unconditionally.
void record_always(Runtime& runtime, std::string kind, const std::vector<Tensor>& inputs,
                   const Tensor& result, Derivative derivative);

/// Returns the edges of `inputs` in order.
std::vector<Edge> edges_of(Runtime& runtime, const std::vector<Tensor>& inputs);

}  // namespace assay::reference
