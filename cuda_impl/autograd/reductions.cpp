// Derivatives of reductions, losses and concatenation.
#include <algorithm>
#include <array>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda::autograd {
namespace {

/// A bit for each reduced dimension; 0 if all are.
std::int64_t bits_of(const Reduced& reduced, const Tensor& tensor) {
  std::int64_t bits = 0;
  for (const std::int64_t dim : reduced.dims) {
    bits |= std::int64_t{1} << wrapped_dim(dim, tensor.dim());
  }
  return bits;
}

/// Gives each element the gradient of what it was reduced to.
Tensor spread(const Tensor& gradient, const Shape& sizes, const Scalar& bits) {
  const auto reduced = static_cast<std::int64_t>(bits.real());
  if (reduced == 0) return expanded(gradient, sizes);
  Shape kept = sizes;
  for (std::size_t dim = 0; dim < kept.size(); ++dim) {
    if ((reduced >> dim & 1) != 0) kept[dim] = 1;
  }
  return expanded(reshaped(gradient, kept), sizes);
}

/// Uses the bits of the dimensions.
std::vector<Tensor> of_sum(const DerivativeArguments& given) {
  return {spread(given.gradient, given.sizes(0), given.numbers[0])};
}

/// Uses the bits, and the number of elements for each result. Divides last, so that the result is
/// dense (CORE-22).
std::vector<Tensor> of_mean(const DerivativeArguments& given) {
  return {
      autograd::div(spread(given.gradient, given.sizes(0), given.numbers[0]), given.numbers[1])};
}

/// 0 where the norm is 0. Recomputes the norm, so that gradients of gradients pass through it.
std::vector<Tensor> of_norm(const DerivativeArguments& given) {
  const Tensor& tensor = given.kept(0);
  const Tensor length = autograd::norm(tensor);
  const Tensor slope = autograd::mul(tensor, autograd::div(given.gradient, length));
  return {autograd::where_above_zero(slope, detach(length))};
}

/// Uses the factor 2, divided by the number of elements for the mean.
std::vector<Tensor> of_mse_loss(const DerivativeArguments& given) {
  const Tensor difference = autograd::sub(given.kept(0), given.kept(1));
  const Tensor slope = autograd::mul(autograd::mul(difference, given.numbers[0]), given.gradient);
  return {slope, given.wants(1) ? autograd::neg(slope) : Tensor()};
}

/// Uses the dimension, counted from the front.
std::vector<Tensor> of_cat(const DerivativeArguments& given) {
  const auto dim = static_cast<std::int64_t>(given.numbers[0].real());
  std::vector<Tensor> gradients;
  std::int64_t start = 0;
  for (const GradientEdge& edge : given.edges) {
    if (edge.sizes == Shape{0}) {
      gradients.push_back(
          edge.goes_on() ? empty({0}, given.gradient.dtype(), given.gradient.device()) : Tensor());
      continue;
    }
    const std::int64_t length = edge.sizes[static_cast<std::size_t>(dim)];
    gradients.push_back(edge.goes_on() ? narrowed(given.gradient, dim, start, length) : Tensor());
    start += length;
  }
  return gradients;
}

std::vector<Tensor> of_stack(const DerivativeArguments& given) {
  const auto dim = static_cast<std::int64_t>(given.numbers[0].real());
  std::vector<Tensor> gradients(given.edges.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!given.wants(i)) continue;
    const Tensor part = narrowed(given.gradient, dim, static_cast<std::int64_t>(i), 1);
    gradients[i] = reshaped(part, given.sizes(i));
  }
  return gradients;
}

}  // namespace

Tensor sum(const Tensor& tensor, const Reduced& reduced) {
  return with_history(assay::cuda::sum(tensor, reduced), {tensor},
                      {.kind = "sum", .derivative = of_sum, .numbers = {bits_of(reduced, tensor)}});
}

Tensor mean(const Tensor& tensor, const Reduced& reduced) {
  const Tensor made = assay::cuda::mean(tensor, reduced);
  const std::int64_t count = tensor.numel() / std::max<std::int64_t>(made.numel(), 1);
  return with_history(
      made, {tensor},
      {.kind = "mean", .derivative = of_mean, .numbers = {bits_of(reduced, tensor), count}});
}

Tensor norm(const Tensor& tensor, double p) {
  const Tensor made = assay::cuda::norm(tensor, p);
  if (p != 2) return without_way_back(made, {tensor}, "norm");
  return with_history(made, {tensor}, {.kind = "norm", .derivative = of_norm, .kept = {tensor}});
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  const auto count = static_cast<double>(input.numel());
  const double factor = reduction == Reduction::kMean ? 2.0 / count : 2.0;
  return with_history(assay::cuda::mse_loss(input, target, reduction), {input, target},
                      {.kind = "mse_loss",
                       .derivative = of_mse_loss,
                       .kept = {input, target},
                       .numbers = {factor}});
}

MseOperands mse_operands(const Tensor& input, const Tensor& target) {
  if (input.sizes() == target.sizes()) return {input, target};
  warn("UserWarning", "Using a target size (" + to_text(target.sizes()) +
                          ") that is different to the input size (" + to_text(input.sizes()) +
                          "). This will likely lead to incorrect results due to broadcasting. "
                          "Please ensure they have the same size.");
  const Shape sizes = broadcast_sizes(std::array<Operand, 2>{input, target});
  return {autograd::expanded(input, sizes), autograd::expanded(target, sizes)};
}

Tensor cat(std::span<const Tensor> tensors, std::int64_t dim) {
  const Tensor made = assay::cuda::cat(tensors, dim);
  const bool is_of_nothing = made.sizes() == Shape{0};  // then any dimension will do
  return with_history(made, {tensors.begin(), tensors.end()},
                      {.kind = "cat",
                       .derivative = of_cat,
                       .numbers = {is_of_nothing ? 0 : wrapped_dim(dim, made.dim())}});
}

Tensor stack(std::span<const Tensor> tensors, std::int64_t dim) {
  const Tensor made = assay::cuda::stack(tensors, dim);
  return with_history(
      made, {tensors.begin(), tensors.end()},
      {.kind = "stack", .derivative = of_stack, .numbers = {wrapped_dim(dim, made.dim())}});
}

}  // namespace assay::cuda::autograd
