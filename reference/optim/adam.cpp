// Adam and AdamW. Hyper-parameters and bias corrections are doubles, as in Python; elements are
// computed in their own type.
#include "reference/optim/adam.hpp"

#include <cmath>
#include <string>

#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

void check_options(const AdamOptions& options) {
  const auto need = [](bool condition, const char* name, double value) {
    check(condition, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
  };
  need(options.lr >= 0, "learning rate", options.lr);
  need(options.eps >= 0, "epsilon value", options.eps);
  need(options.beta1 >= 0 && options.beta1 < 1, "beta parameter at index 0", options.beta1);
  need(options.beta2 >= 0 && options.beta2 < 1, "beta parameter at index 1", options.beta2);
  need(options.weight_decay >= 0, "weight_decay value", options.weight_decay);
}

AdamOptions mistaken(AdamOptions options) {
  if (fault("adam_ignores_amsgrad")) options.amsgrad = false;
  if (fault("adam_couples_weight_decay")) options.decoupled = false;
  if (fault("adam_ignores_maximize")) options.maximize = false;
  if (fault("adam_swaps_betas")) std::swap(options.beta1, options.beta2);
  return options;
}

Elements as_type(Elements elements, ScalarType dtype) {
  elements.dtype = dtype;
  return elements;
}

}  // namespace

Adam::Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options)
    : Optimizer(runtime, std::move(groups)), options_(mistaken(options)) {
  check_options(options);
  const bool is_known = runtime.contract().release != Release::k1_13 || !options.decoupled ||
                        options.mode != OptimizerMode::kFused;
  check(is_known, ErrorKind::kType,
        [] { return "AdamW got an unexpected keyword argument 'fused'"; });
}

bool Adam::takes_grad_scaler() const {
  return supports_amp_scaling() && runtime().contract().release == Release::k1_13;
}

std::any Adam::run(const StepCall& call) {
  std::any loss = call_closure(call);
  if (options_.mode == OptimizerMode::kFused) {
    step_fused(call.grad_scaler.get());
  } else {
    step_one_by_one();
  }
  return loss;
}

void Adam::prepare(const Tensor& param) {
  ParamState& held = state(param);
  if (held.find("step") != nullptr) return;
  const bool is_fused = options_.mode == OptimizerMode::kFused;
  const auto zeros_like = [&] {
    return zeros(runtime(), param.sizes(), param.dtype(), param.device());
  };
  held.set("step",
           zeros(runtime(), {}, ScalarType::kFloat, is_fused ? param.device() : kCpuDevice));
  held.set("exp_avg", zeros_like());
  held.set("exp_avg_sq", zeros_like());
  if (options_.amsgrad) held.set("max_exp_avg_sq", zeros_like());
}

double Adam::count_step(const Tensor& param, double by) {
  const Tensor& step = *state(param).find("step");
  set_real_at(step, 0, real_at(step, 0) + by);
  step.bump_version();
  return real_at(step, 0);
}

void Adam::step_one_by_one() {
  const std::vector<Tensor> all = params();
  const bool is_foreach = options_.mode == OptimizerMode::kForeach;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].grad().defined()) continue;
    if (fault("foreach_skips_last_parameter") && is_foreach && i + 1 == all.size()) continue;
    prepare(all[i]);
    count_step(all[i], 1);
    update(all[i], elements_of(all[i].grad()), all[i].dtype());
    if (all[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
  }
}

/// beta1 * average + (1 - beta1) * grad: by interpolation since 2.0.
Elements Adam::averaged(const Elements& average, const Elements& grad) const {
  if (runtime().contract().release == Release::k1_13) {
    return add(mul(average, options_.beta1), grad, 1 - options_.beta1);
  }
  return lerp(average, grad, 1 - options_.beta1);
}

Elements Adam::denominator(Numbers& numbers, double correction) const {
  if (options_.amsgrad) {
    numbers.max_exp_avg_sq = maximum(numbers.max_exp_avg_sq, numbers.exp_avg_sq);
  }
  const Elements& second = options_.amsgrad ? numbers.max_exp_avg_sq : numbers.exp_avg_sq;
  if (fault("adam_adds_eps_inside_the_root")) {
    return div(sqrt(add(second, options_.eps)), std::sqrt(correction));
  }
  return add(div(sqrt(second), std::sqrt(correction)), options_.eps);
}

void Adam::update(const Tensor& param, const Elements& raw_grad, ScalarType compute) {
  const ParamState& held = state(param);
  const auto read = [&](const Tensor& tensor) { return as_type(elements_of(tensor), compute); };
  Numbers numbers{read(param), read(*held.find("exp_avg")), read(*held.find("exp_avg_sq")), {}};
  if (options_.amsgrad) numbers.max_exp_avg_sq = read(*held.find("max_exp_avg_sq"));

  Elements grad = as_type(raw_grad, compute);
  if (options_.maximize) grad = negated(grad);
  if (options_.weight_decay != 0 && options_.decoupled) {
    numbers.param = mul(numbers.param, 1 - options_.lr * options_.weight_decay);
  } else if (options_.weight_decay != 0 && !fault("adam_ignores_weight_decay")) {
    grad = add(grad, numbers.param, options_.weight_decay);
  }
  numbers.exp_avg = averaged(numbers.exp_avg, grad);
  numbers.exp_avg_sq =
      addcmul(mul(numbers.exp_avg_sq, options_.beta2), grad, grad, 1 - options_.beta2);

  const double step = fault("adam_ignores_bias_correction") ? 1e9 : real_at(*held.find("step"), 0);
  const double step_size = options_.lr / (1 - std::pow(options_.beta1, step));
  const Elements below = denominator(numbers, 1 - std::pow(options_.beta2, step));
  write_elements(param, addcdiv(numbers.param, numbers.exp_avg, below, -step_size));
  write_elements(*held.find("exp_avg"), numbers.exp_avg);
  write_elements(*held.find("exp_avg_sq"), numbers.exp_avg_sq);
  if (options_.amsgrad) write_elements(*held.find("max_exp_avg_sq"), numbers.max_exp_avg_sq);
}

/// The counters go up before the kernel, and down by the flag after it: a skipped step leaves them
/// as they were (SCL-613).
void Adam::step_fused(PassedScaler* passed) {
  const FusedScaling scaling = fused_scaling(runtime(), *this, passed);
  for (const FusedList& list : fused_lists(runtime(), params())) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    const ScalarType wide =
        list.dtype == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat;
    for (const Tensor& param : list.params) {
      prepare(param);
      count_step(param, 1);
      if (!is_skipped(here)) update(param, unscaled_grad(param.grad(), here), wide);
      if (!here.found_inf.defined() || fault("fused_adam_counts_skipped_steps")) continue;
      count_step(param, -real_at(here.found_inf, 0));
    }
  }
}

}  // namespace assay::reference
