// Stochastic gradient descent. Plain and foreach round after each operation, fused computes one
// element in registers.
#include "reference/optim/sgd.hpp"

#include <string>

#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

constexpr const char* kBuffer = "momentum_buffer";

void check_options(const Runtime& runtime, const SgdOptions& options) {
  const auto at_least_zero = [](const char* name, double value) {
    check(value >= 0, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
  };
  at_least_zero("learning rate", options.lr);
  at_least_zero("momentum value", options.momentum);
  at_least_zero("weight_decay value", options.weight_decay);
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0), ErrorKind::kValue,
        [] { return "nesterov needs a momentum above 0 and no dampening"; });
  const bool has_fused = runtime.contract().release != Release::k1_13;
  check(options.mode != OptimizerMode::kFused || has_fused, ErrorKind::kType,
        [] { return "SGD got an unexpected keyword argument 'fused'"; });
}

SgdOptions mistaken(SgdOptions options) {
  if (fault("sgd_ignores_weight_decay")) options.weight_decay = 0;
  if (fault("sgd_ignores_dampening")) options.dampening = 0;
  if (fault("sgd_ignores_nesterov")) options.nesterov = false;
  if (fault("sgd_ignores_maximize")) options.maximize = false;
  if (fault("sgd_ignores_momentum")) options.momentum = 0;
  if (fault("sgd_foreach_negates_maximize") && options.mode == OptimizerMode::kForeach) {
    options.maximize = !options.maximize;
  }
  return options;
}

}  // namespace

Sgd::Sgd(Runtime& runtime, std::vector<ParamGroup> groups, const SgdOptions& options)
    : Optimizer(runtime, std::move(groups)), options_(mistaken(options)) {
  check_options(runtime, options);
}

std::any Sgd::run(const StepCall& call) {
  std::any loss = call_closure(call);
  if (options_.mode == OptimizerMode::kFused) {
    step_fused();
  } else {
    step_one_by_one();
  }
  return loss;
}

void Sgd::step_one_by_one() {
  const std::vector<Tensor> all = params();
  const bool is_foreach = options_.mode == OptimizerMode::kForeach;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].grad().defined()) continue;
    if (fault("foreach_skips_last_parameter") && is_foreach && i + 1 == all.size()) continue;
    update(all[i]);
    // One launch for the list, or one for each parameter.
    if (all[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
  }
}

Elements Sgd::next_momentum(const Tensor& param, const Elements& grad) {
  const Tensor* buffer = state(param).find(kBuffer);
  if (buffer == nullptr) {
    const double first = fault("sgd_dampens_first_momentum") ? 1 - options_.dampening : 1.0;
    const Elements next = first == 1.0 ? grad : mul(grad, first);
    const Tensor made = empty(runtime(), param.sizes(), param.dtype(), param.device());
    write_elements(made, next);
    state(param).set(kBuffer, made);
    return next;
  }
  const Elements next =
      add(mul(elements_of(*buffer), options_.momentum), grad, 1 - options_.dampening);
  write_elements(*buffer, next);
  return next;
}

void Sgd::update(const Tensor& param) {
  Elements grad = elements_of(param.grad());
  if (options_.maximize) grad = negated(grad);
  if (options_.weight_decay != 0) grad = add(grad, elements_of(param), options_.weight_decay);
  if (options_.momentum != 0) {
    const Elements buffer = next_momentum(param, grad);
    grad = options_.nesterov ? add(grad, buffer, options_.momentum) : buffer;
  }
  write_elements(param, add(elements_of(param), grad, -options_.lr));
}

void Sgd::step_fused() {
  const FusedScaling scaling = fused_scaling(runtime(), *this, nullptr);
  for (const FusedList& list : fused_lists(runtime(), params())) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) update_fused(param, here);
  }
}

/// A first step that is skipped leaves no momentum behind, so that the next is a first step again.
void Sgd::update_fused(const Tensor& param, const FusedScaling& scaling) {
  ParamState& held = state(param);
  if (is_skipped(scaling)) {  // SCL-610
    if (fault("fused_sgd_skip_makes_momentum") && held.find(kBuffer) == nullptr) {
      held.set(kBuffer, empty(runtime(), param.sizes(), param.dtype(), param.device()));
    }
    return;
  }
  // Computed without narrowing in between: float32, or float64 for float64.
  const ScalarType wide =
      param.dtype() == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat;
  const auto widened = [&](Elements elements) {
    elements.dtype = wide;
    return elements;
  };
  const Elements before = widened(elements_of(param));
  Elements grad = widened(unscaled_grad(param.grad(), scaling));
  if (options_.maximize) grad = negated(grad);
  if (options_.weight_decay != 0) grad = add(grad, before, options_.weight_decay);
  if (options_.momentum != 0) {
    Elements buffer = grad;
    if (const Tensor* old = held.find(kBuffer)) {
      buffer =
          add(mul(widened(elements_of(*old)), options_.momentum), grad, 1 - options_.dampening);
    } else {
      held.set(kBuffer, empty(runtime(), param.sizes(), param.dtype(), param.device()));
    }
    write_elements(*held.find(kBuffer), buffer);
    grad = options_.nesterov ? add(grad, buffer, options_.momentum) : buffer;
  }
  write_elements(param, add(before, grad, -options_.lr));
}

}  // namespace assay::reference
