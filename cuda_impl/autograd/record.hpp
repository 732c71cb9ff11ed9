// Recording operators: a derivative with the tensors and numbers that it needs.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/core/scalar.hpp"

namespace assay::cuda::autograd {

using Numbers = std::array<Scalar, 2>;

/// What a derivative is given: the gradient of the outcome, the arguments that were kept, and which
/// of the gradients are wanted.
struct Given {
  const Tensor& gradient;
  const std::vector<SavedTensor>& saved;
  const std::vector<GradientEdge>& edges;
  const Numbers& numbers;

  bool wants(std::size_t argument) const { return edges[argument].goes_on(); }
  const Shape& sizes(std::size_t argument) const { return edges[argument].sizes; }
  const Tensor& kept(std::size_t index) const { return saved[index].get(); }
};
/// One gradient for each argument. It is made of operators that are recorded in grad mode, so that
/// gradients of gradients are right.
using Derivative = std::vector<Tensor> (*)(const Given& given);

/// `kept` and `numbers` are what the derivative needs.
struct Recipe {
  std::string_view kind;
  Derivative derivative = nullptr;
  std::vector<Tensor> kept = {};
  Numbers numbers = {};
};

/// `made`, which was made of the arguments; undefined ones are none. Nothing is recorded outside
/// of grad mode, nor for results of types that have no gradients.
Tensor with_history(const Tensor& made, const std::vector<Tensor>& arguments, const Recipe& recipe);
/// The same for an operator whose derivative nobody knows: going back raises `not_implemented`.
Tensor without_way_back(const Tensor& made, const std::vector<Tensor>& arguments);

/// `other`, where the gradient of `wanting` needs it.
Tensor kept_for(const Tensor& wanting, const Tensor& other);

}  // namespace assay::cuda::autograd
