// Records operators with their derivative and its saved tensors and numbers.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/core/scalar.hpp"

namespace assay::cuda::autograd {

using Numbers = std::array<Scalar, 2>;

/// The arguments of a derivative: the gradient of the result, the saved tensors, and the gradients
/// that are needed.
struct DerivativeArguments {
  const Tensor& gradient;
  const std::vector<SavedTensor>& saved;
  const std::vector<GradientEdge>& edges;
  const Numbers& numbers;

  bool wants(std::size_t argument) const { return edges[argument].goes_on(); }
  const Shape& sizes(std::size_t argument) const { return edges[argument].sizes; }
  const Tensor& kept(std::size_t index) const { return saved[index].get(); }
};
/// Returns one gradient for each argument. It calls recorded operators, so that gradients of
/// gradients are correct in grad mode.
using Derivative = std::vector<Tensor> (*)(const DerivativeArguments& given);

/// How to differentiate an operator: `kept` and `numbers` are passed to the derivative.
struct Recipe {
  std::string_view kind;
  Derivative derivative = nullptr;
  std::vector<Tensor> kept = {};
  Numbers numbers = {};
  bool saves_number = false;
};

/// Returns `made` with a history; undefined arguments are ignored. Records nothing outside grad
/// mode or for dtypes without gradients.
Tensor with_history(const Tensor& made, const std::vector<Tensor>& arguments, const Recipe& recipe);
/// The same for a derivative of the result, which is the only tensor it gets.
Tensor with_history_of_result(const Tensor& made, const Tensor& argument, const Recipe& recipe);
/// For an operator without a derivative here: its backward raises `NoDerivative`. `kind` must be a
/// literal. A result with a history keeps it.
Tensor without_way_back(const Tensor& made, const std::vector<Tensor>& arguments,
                        std::string_view kind);

/// For a gradient whose own derivative is missing: in grad mode, its backward raises
/// `NoDerivative`.
Tensor without_second(const Tensor& gradient, std::string_view kind);

/// Returns `other` if the gradient of `wanting` needs it.
Tensor kept_for(const Tensor& wanting, const Tensor& other);

}  // namespace assay::cuda::autograd
