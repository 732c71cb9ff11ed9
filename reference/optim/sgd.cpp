// Stochastic gradient descent. Plain and foreach round after each operation, fused computes one
// element in registers.
#include "reference/optim/sgd.hpp"

#include <string>

#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"

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

namespace {

/// One parameter's step as the device does it.
struct SgdKernel {
  SgdOptions options;
  Tensor param;
  Tensor grad_tensor;
  Tensor buffer;          ///< undefined without momentum
  bool is_first = false;  ///< the buffer holds nothing yet
  FusedScaling scaling = {};

  void plain() const {
    Elements grad = elements_of(grad_tensor);
    if (options.maximize) grad = negated(grad);
    if (options.weight_decay != 0) grad = add(grad, elements_of(param), options.weight_decay);
    if (buffer.defined()) {
      const Elements next = next_momentum(grad);
      grad = options.nesterov ? add(grad, next, options.momentum) : next;
    }
    write_elements(param, add(elements_of(param), grad, -options.lr));
  }

  /// Computed without narrowing in between: float32, or float64 for float64.
  void fused() const {
    if (is_skipped(scaling)) return;  // SCL-610
    const Elements before = widened(elements_of(param));
    Elements grad = widened(unscaled_grad(grad_tensor, scaling));
    if (options.maximize) grad = negated(grad);
    if (options.weight_decay != 0) grad = add(grad, before, options.weight_decay);
    if (buffer.defined()) {
      Elements next = grad;
      if (!is_first) {
        next =
            add(mul(widened(elements_of(buffer)), options.momentum), grad, 1 - options.dampening);
      }
      write_elements(buffer, next);
      grad = options.nesterov ? add(grad, next, options.momentum) : next;
    }
    write_elements(param, add(before, grad, -options.lr));
  }

 private:
  Elements widened(Elements elements) const {
    elements.dtype =
        param.dtype() == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat;
    return elements;
  }

  /// The first one is the gradient itself.
  Elements next_momentum(const Elements& grad) const {
    const double first = fault("sgd_dampens_first_momentum") ? 1 - options.dampening : 1.0;
    Elements next = first == 1.0 ? grad : mul(grad, first);
    if (!is_first) {
      next = add(mul(elements_of(buffer), options.momentum), grad, 1 - options.dampening);
    }
    write_elements(buffer, next);
    return next;
  }
};

}  // namespace

std::pair<Tensor, bool> Sgd::momentum_buffer(const Tensor& param) {
  if (options_.momentum == 0) return {Tensor{}, false};
  if (const Tensor* held = state(param).find(kBuffer)) return {*held, false};
  const Tensor made = empty(runtime(), param.sizes(), param.dtype(), param.device());
  state(param).set(kBuffer, made);
  return {made, true};
}

void Sgd::update(const Tensor& param) {
  check_dense(param.grad());
  const auto [buffer, is_first] = momentum_buffer(param);
  const SgdKernel kernel{options_, borrowed(param), borrowed(param.grad()), borrowed(buffer),
                         is_first};
  launch(runtime(), param.device(), "sgd", [kernel] { kernel.plain(); });
}

void Sgd::step_fused() {
  const FusedScaling scaling = fused_scaling(runtime(), *this, nullptr);
  for (const FusedList& list : fused_lists(runtime(), params())) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) update_fused(param, here);
  }
}

/// A first step that is skipped leaves no momentum behind, so that the next is a first step again:
/// only then the host has to know.
void Sgd::update_fused(const Tensor& param, const FusedScaling& scaling) {
  check_dense(param.grad());
  const bool makes_buffer = options_.momentum != 0 && state(param).find(kBuffer) == nullptr;
  if (makes_buffer && scaling.found_inf.defined()) {
    wait_for_stream(runtime(), scaling.found_inf.device());
    if (is_skipped(scaling) && !fault("fused_sgd_skip_makes_momentum")) return;
  }
  const auto [buffer, is_first] = momentum_buffer(param);
  const SgdKernel kernel{options_,
                         borrowed(param),
                         borrowed(param.grad()),
                         borrowed(buffer),
                         is_first,
                         {borrowed(scaling.grad_scale), borrowed(scaling.found_inf)}};
  launch(runtime(), param.device(), "fused_sgd", [kernel] { kernel.fused(); });
}

}  // namespace assay::reference
