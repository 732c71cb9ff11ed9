// The loss of picked classes with its derivative.
#include "cuda_impl/autograd/losses.hpp"

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"

namespace assay::cuda::autograd {
namespace {

/// Saves logarithms (of a gradient, its own), target, weight and the total of the weights; uses the
/// ignored class and the reduction.
ClassLoss picks_in(const DerivativeArguments& given) {
  return {given.kept(0), given.kept(1), given.kept(2), given.numbers[0].as<std::int64_t>()};
}

/// A gradient is linear in that of the losses.
std::vector<Tensor> of_slope(const DerivativeArguments& given) {
  ClassLoss picks = picks_in(given);
  picks.logarithms = given.gradient;
  return {autograd::class_loss(picks, Reduction::kNone)};
}

std::vector<Tensor> of_class_loss(const DerivativeArguments& given) {
  const ClassLoss picks = picks_in(given);
  const bool is_mean = given.numbers[1].as<std::int64_t>() == static_cast<int>(Reduction::kMean);
  Tensor gradient = given.gradient;
  if (is_mean) gradient = autograd::div(gradient, given.kept(3));
  gradient = expanded(gradient, picks.target.sizes());
  const Tensor slope = cuda::class_slope(picks, given.sizes(0), gradient);
  return {with_history(slope, {gradient},
                       {.kind = "nll_loss_backward",
                        .derivative = of_slope,
                        .kept = {{}, picks.target, picks.weight, {}},
                        .numbers = given.numbers})};
}

}  // namespace

Tensor class_loss(const ClassLoss& given, Reduction reduction) {
  require(!grad_mode() || !given.weight.defined() || !given.weight->requires_grad, [] {
    return "nll_loss has no derivative for 'weight', which therefore cannot require a gradient";
  });
  const ClassLossed made = cuda::class_loss(given, reduction);
  return with_history(made.loss, {given.logarithms},
                      {.kind = given.logarithms.dim() > 2 ? "nll_loss2d" : "nll_loss",
                       .derivative = of_class_loss,
                       .kept = {given.logarithms, given.target, given.weight, made.total},
                       .numbers = {given.ignored, static_cast<int>(reduction)}});
}

}  // namespace assay::cuda::autograd
