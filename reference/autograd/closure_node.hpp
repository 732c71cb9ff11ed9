// Nodes whose derivative is a function.
#pragma once

#include <functional>

#include "reference/autograd/node.hpp"
#include "reference/autograd/saved.hpp"

namespace assay::reference {

/// From the gradient of the one result, those of the inputs.
using Derivative = std::function<Gradients(Runtime& runtime, const Tensor& grad)>;

/// Writes history for `result` if any input requires a gradient and grad mode is on.
void record(Runtime& runtime, std::string kind, const std::vector<Tensor>& inputs,
            const Tensor& result, Derivative derivative);

/// The same without asking the inputs.
void record_always(std::string kind, const std::vector<Tensor>& inputs, const Tensor& result,
                   Derivative derivative);

/// The edges of `inputs`, in order.
std::vector<Edge> edges_of(const std::vector<Tensor>& inputs);

}  // namespace assay::reference
