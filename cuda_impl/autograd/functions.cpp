// The derivatives of a few operators.
#include "cuda_impl/autograd/functions.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::autograd {
namespace {

/// What a derivative is given: the gradient of the outcome, the arguments that were kept, and which
/// of the gradients are wanted.
struct Given {
  const Tensor& gradient;
  const std::vector<SavedTensor>& saved;
  const std::vector<GradientEdge>& edges;

  bool wants(std::size_t argument) const { return edges[argument].goes_on(); }
  const Shape& sizes(std::size_t argument) const { return edges[argument].sizes; }
  const Tensor& kept(std::size_t index) const { return saved[index].get(); }
};
using Derivative = std::vector<Tensor> (*)(const Given& given, const Scalar& number);

class OperatorNode final : public GradientNode {
 public:
  OperatorNode(std::vector<GradientEdge> edges, Derivative derivative, Scalar number,
               std::vector<SavedTensor> saved)
      : GradientNode(std::move(edges)),
        derivative_(derivative),
        number_(number),
        saved_(std::move(saved)) {}

 private:
  std::vector<Tensor> compute(const Tensor& gradient) override {
    return derivative_({gradient, saved_, edges()}, number_);
  }
  void release_saved() override {
    for (SavedTensor& saved : saved_) saved.release();
  }

  Derivative derivative_;
  Scalar number_;
  std::vector<SavedTensor> saved_;
};

/// Undefined for a number.
Tensor tensor_in(const Operand& operand) {
  return operand.is_tensor() ? operand.tensor() : Tensor();
}

/// `kept` are needed by the derivative, `number` too.
struct Recipe {
  Derivative derivative = nullptr;
  std::vector<Tensor> kept = {};
  Scalar number = {};
};

Tensor with_history(const Tensor& made, const std::vector<Tensor>& arguments,
                    const Recipe& recipe) {
  std::vector<GradientEdge> edges;
  bool goes_on = false;
  for (const Tensor& argument : arguments) {
    goes_on = edges.emplace_back(edge_to(argument)).goes_on() || goes_on;
  }
  if (!goes_on) return made;
  std::vector<SavedTensor> saved;
  for (const Tensor& kept : recipe.kept) saved.emplace_back(kept);
  set_history(made, std::make_shared<OperatorNode>(std::move(edges), recipe.derivative,
                                                   recipe.number, std::move(saved)));
  return made;
}

Tensor product(const Tensor& gradient, const Scalar& factor) {
  return equal(factor, Scalar(1)) ? gradient : assay::cuda::mul(gradient, factor);
}

std::vector<Tensor> of_add(const Given& given, const Scalar& alpha) {
  return {given.wants(0) ? given.gradient : Tensor(),
          given.wants(1) ? product(given.gradient, alpha) : Tensor()};
}

std::vector<Tensor> of_sub(const Given& given, const Scalar& alpha) {
  return {given.wants(0) ? given.gradient : Tensor(),
          given.wants(1) ? product(assay::cuda::neg(given.gradient), alpha) : Tensor()};
}

/// Kept: right where left wants its gradient, and the other way round; numbers are in `number`.
std::vector<Tensor> of_mul(const Given& given, const Scalar& number) {
  std::vector<Tensor> gradients(2);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!given.wants(i)) continue;
    const bool by_number = given.saved.empty();
    gradients[i] = by_number ? assay::cuda::mul(given.gradient, number)
                             : assay::cuda::mul(given.gradient, given.kept(i));
  }
  return gradients;
}

std::vector<Tensor> of_sum(const Given& given, const Scalar&) {
  return {expand(given.gradient, given.sizes(0))};
}

std::vector<Tensor> of_mean(const Given& given, const Scalar& count) {
  return {expand(assay::cuda::div(given.gradient, count), given.sizes(0))};
}

std::vector<Tensor> of_mm(const Given& given, const Scalar&) {
  return {given.wants(0) ? assay::cuda::mm(given.gradient, t(given.kept(1))) : Tensor(),
          given.wants(1) ? assay::cuda::mm(t(given.kept(0)), given.gradient) : Tensor()};
}

Tensor rows_of(const Tensor& tensor) { return reshape(tensor, {-1, tensor.sizes().back()}); }

std::vector<Tensor> of_linear(const Given& given, const Scalar&) {
  const Tensor rows = rows_of(given.gradient);
  std::vector<Tensor> gradients(3);
  if (given.wants(0)) {
    gradients[0] = reshape(assay::cuda::mm(rows, given.kept(1)), given.sizes(0));
  }
  if (given.wants(1)) gradients[1] = assay::cuda::mm(t(rows), rows_of(given.kept(0)));
  if (given.wants(2)) gradients[2] = given.gradient;
  return gradients;
}

/// `factor`: 2, over the count where the mean was taken.
std::vector<Tensor> of_mse_loss(const Given& given, const Scalar& factor) {
  const Tensor difference = assay::cuda::sub(given.kept(0), given.kept(1));
  const Tensor slope = assay::cuda::mul(assay::cuda::mul(difference, factor), given.gradient);
  return {given.wants(0) ? slope : Tensor(), given.wants(1) ? assay::cuda::neg(slope) : Tensor()};
}

}  // namespace

Tensor add(const Operand& left, const Operand& right, const Scalar& alpha) {
  return with_history(assay::cuda::add(left, right, alpha), {tensor_in(left), tensor_in(right)},
                      {.derivative = of_add, .number = alpha});
}

Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha) {
  return with_history(assay::cuda::sub(left, right, alpha), {tensor_in(left), tensor_in(right)},
                      {.derivative = of_sub, .number = alpha});
}

Tensor mul(const Operand& left, const Operand& right, Release release) {
  Recipe recipe{.derivative = of_mul};
  if (left.is_tensor() && right.is_tensor()) {
    const auto kept_for = [](const Tensor& wanting, const Tensor& other) {
      return wanting->requires_grad ? other : Tensor();
    };
    recipe.kept = {kept_for(left.tensor(), right.tensor()),
                   kept_for(right.tensor(), left.tensor())};
  } else {
    recipe.number = left.is_tensor() ? right.scalar() : left.scalar();
  }
  return with_history(assay::cuda::mul(left, right, release), {tensor_in(left), tensor_in(right)},
                      recipe);
}

Tensor sum(const Tensor& tensor) {
  return with_history(assay::cuda::sum(tensor), {tensor}, {.derivative = of_sum});
}

Tensor mean(const Tensor& tensor) {
  return with_history(assay::cuda::mean(tensor), {tensor},
                      {.derivative = of_mean, .number = Scalar(tensor.numel())});
}

Tensor mm(const Tensor& left, const Tensor& right) {
  return with_history(assay::cuda::mm(left, right), {left, right},
                      {.derivative = of_mm, .kept = {left, right}});
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return with_history(assay::cuda::linear(input, weight, bias), {input, weight, bias},
                      {.derivative = of_linear, .kept = {input, weight}});
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  const auto count = static_cast<double>(input.numel());
  const double factor = reduction == Reduction::kMean ? 2.0 / count : 2.0;
  return with_history(
      assay::cuda::mse_loss(input, target, reduction), {input, target},
      {.derivative = of_mse_loss, .kept = {input, target}, .number = Scalar(factor)});
}

}  // namespace assay::cuda::autograd
