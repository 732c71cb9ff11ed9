// Derivatives of element-wise operators.
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"

namespace assay::cuda::autograd {
namespace {

/// Returns an undefined tensor for a number.
Tensor tensor_in(const Operand& operand) {
  return operand.is_tensor() ? operand.tensor() : Tensor();
}
Scalar number_in(const Operand& operand) {
  return operand.is_tensor() ? Scalar() : operand.scalar();
}

Tensor product(const Tensor& gradient, const Scalar& factor) {
  return equal(factor, Scalar(1)) ? gradient : autograd::mul(gradient, factor);
}

/// Returns the saved tensor, or the number in its place.
Operand operand_at(const DerivativeArguments& given, std::size_t index) {
  const bool is_tensor = given.saved[index].as_it_is().defined();
  return is_tensor ? Operand(given.kept(index)) : Operand(given.numbers[index]);
}

std::vector<Tensor> of_add(const DerivativeArguments& given) {
  return {given.gradient, given.wants(1) ? product(given.gradient, given.numbers[0]) : Tensor()};
}

std::vector<Tensor> of_sub(const DerivativeArguments& given) {
  return {given.gradient,
          given.wants(1) ? product(autograd::neg(given.gradient), given.numbers[0]) : Tensor()};
}

/// Saves each operand that the gradient of the other one needs.
std::vector<Tensor> of_mul(const DerivativeArguments& given) {
  return {given.wants(0) ? autograd::mul(given.gradient, operand_at(given, 1)) : Tensor(),
          given.wants(1) ? autograd::mul(given.gradient, operand_at(given, 0)) : Tensor()};
}

/// Saves right, and left if the gradient of right is needed.
std::vector<Tensor> of_div(const DerivativeArguments& given) {
  const Operand right = operand_at(given, 1);
  std::vector<Tensor> gradients(2);
  if (given.wants(0)) gradients[0] = autograd::div(given.gradient, right);
  if (given.wants(1)) {
    const Tensor slope = autograd::div(autograd::div(operand_at(given, 0), right), right);
    gradients[1] = autograd::mul(autograd::neg(given.gradient), slope);
  }
  return gradients;
}

std::vector<Tensor> of_neg(const DerivativeArguments& given) {
  return {autograd::neg(given.gradient)};
}

/// Saves the tensor that selects the elements.
std::vector<Tensor> of_gate(const DerivativeArguments& given) {
  return {autograd::where_above_zero(given.gradient, given.kept(0))};
}

}  // namespace

Tensor add(const Operand& left, const Operand& right, const Scalar& alpha) {
  return with_history(assay::cuda::add(left, right, alpha), {tensor_in(left), tensor_in(right)},
                      {.kind = "add", .derivative = of_add, .numbers = {alpha}});
}

Tensor sub(const Operand& left, const Operand& right, const Scalar& alpha) {
  return with_history(assay::cuda::sub(left, right, alpha), {tensor_in(left), tensor_in(right)},
                      {.kind = "sub", .derivative = of_sub, .numbers = {alpha}});
}

Tensor mul(const Operand& left, const Operand& right, Release release) {
  const Tensor made = assay::cuda::mul(left, right, release);
  const std::vector<Tensor> arguments{tensor_in(left), tensor_in(right)};
  if (!is_recorded(arguments)) return made;
  return with_history(
      made, arguments,
      {.kind = "mul",
       .derivative = of_mul,
       .kept = {kept_for(arguments[1], arguments[0]), kept_for(arguments[0], arguments[1])},
       .numbers = {number_in(left), number_in(right)},
       .saves_number = !left.is_tensor() || !right.is_tensor()});
}

Tensor div(const Operand& left, const Operand& right, Release release) {
  const Tensor made = assay::cuda::div(left, right, release);
  const std::vector<Tensor> arguments{tensor_in(left), tensor_in(right)};
  if (!is_recorded(arguments)) return made;
  return with_history(made, arguments,
                      {.kind = "div",
                       .derivative = of_div,
                       .kept = {kept_for(arguments[1], arguments[0]), arguments[1]},
                       .numbers = {number_in(left), number_in(right)},
                       .saves_number = !left.is_tensor() || !right.is_tensor()});
}

Tensor neg(const Tensor& tensor) {
  return with_history(assay::cuda::neg(tensor), {tensor}, {.kind = "neg", .derivative = of_neg});
}

Tensor relu(const Tensor& tensor) {
  const Tensor made = assay::cuda::relu(tensor);
  if (!is_recorded({tensor})) return made;
  return with_history(made, {tensor},
                      {.kind = "relu", .derivative = of_gate, .kept = {detach(made)}});
}

Tensor where_above_zero(const Tensor& tensor, const Tensor& gate) {
  return with_history(assay::cuda::where_above_zero(tensor, gate), {tensor},
                      {.kind = "where_above_zero", .derivative = of_gate, .kept = {gate}});
}

}  // namespace assay::cuda::autograd
