// Adam and AdamW. Hyper-parameters and bias corrections are doubles, as in Python; elements are
// computed in their own type.
#include "reference/optim/adam.hpp"

#include <cmath>
#include <string>

#include "reference/core/device_hooks.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"

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
  check(!is_captured(runtime()) || fault("adam_is_captured"), [] {
    return "Attempting CUDA graph capture of step() for an instance of Adam but capturable is "
           "False";  // SCL-715
  });
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

namespace {

/// A parameter's numbers while a step computes with them.
struct Numbers {
  Elements param;
  Elements exp_avg;
  Elements exp_avg_sq;
  Elements max_exp_avg_sq;
};

/// One parameter's step as the device does it.
struct AdamKernel {
  AdamOptions options;
  Release release;
  Tensor param;
  Tensor grad;
  Tensor step;
  Tensor exp_avg;
  Tensor exp_avg_sq;
  Tensor max_exp_avg_sq;  ///< undefined unless amsgrad
  FusedScaling scaling = {};

  void update(const Elements& raw_grad, ScalarType compute, double step_number) const;
  void count_step(double by) const {
    set_real_at(step, 0, real_at(step, 0) + by);
    step.bump_version();
  }

  /// The counters go up before the kernel, and down by the flag after it: a skipped step leaves
  /// them as they were (SCL-613).
  void fused() const {
    const ScalarType wide =
        param.dtype() == ScalarType::kDouble ? ScalarType::kDouble : ScalarType::kFloat;
    count_step(1);
    if (!is_skipped(scaling)) update(unscaled_grad(grad, scaling), wide, real_at(step, 0));
    if (!scaling.found_inf.defined() || fault("fused_adam_counts_skipped_steps")) return;
    count_step(-real_at(scaling.found_inf, 0));
  }

 private:
  Elements averaged(const Elements& average, const Elements& by) const;
  Elements denominator(Numbers& numbers, double correction) const;
};

/// beta1 * average + (1 - beta1) * grad: by interpolation since 2.0.
Elements AdamKernel::averaged(const Elements& average, const Elements& by) const {
  if (release == Release::k1_13) return add(mul(average, options.beta1), by, 1 - options.beta1);
  return lerp(average, by, 1 - options.beta1);
}

/// The denominator of the step, from the second moments.
Elements AdamKernel::denominator(Numbers& numbers, double correction) const {
  if (options.amsgrad) {
    numbers.max_exp_avg_sq = maximum(numbers.max_exp_avg_sq, numbers.exp_avg_sq);
  }
  const Elements& second = options.amsgrad ? numbers.max_exp_avg_sq : numbers.exp_avg_sq;
  if (fault("adam_adds_eps_inside_the_root")) {
    return div(sqrt(add(second, options.eps)), std::sqrt(correction));
  }
  return add(div(sqrt(second), std::sqrt(correction)), options.eps);
}

void AdamKernel::update(const Elements& raw_grad, ScalarType compute, double step_number) const {
  const auto read = [&](const Tensor& tensor) { return as_type(elements_of(tensor), compute); };
  Numbers numbers{read(param), read(exp_avg), read(exp_avg_sq), {}};
  if (options.amsgrad) numbers.max_exp_avg_sq = read(max_exp_avg_sq);

  Elements by = as_type(raw_grad, compute);
  if (options.maximize) by = negated(by);
  if (options.weight_decay != 0 && options.decoupled) {
    numbers.param = mul(numbers.param, 1 - options.lr * options.weight_decay);
  } else if (options.weight_decay != 0 && !fault("adam_ignores_weight_decay")) {
    by = add(by, numbers.param, options.weight_decay);
  }
  numbers.exp_avg = averaged(numbers.exp_avg, by);
  numbers.exp_avg_sq = addcmul(mul(numbers.exp_avg_sq, options.beta2), by, by, 1 - options.beta2);

  const double count = fault("adam_ignores_bias_correction") ? 1e9 : step_number;
  const double step_size = options.lr / (1 - std::pow(options.beta1, count));
  const Elements below = denominator(numbers, 1 - std::pow(options.beta2, count));
  write_elements(param, addcdiv(numbers.param, numbers.exp_avg, below, -step_size));
  write_elements(exp_avg, numbers.exp_avg);
  write_elements(exp_avg_sq, numbers.exp_avg_sq);
  if (options.amsgrad) write_elements(max_exp_avg_sq, numbers.max_exp_avg_sq);
}

AdamKernel kernel_for(const AdamOptions& options, Release release, const Tensor& param,
                      const ParamState& held) {
  const auto part = [&](const char* name) {
    const Tensor* tensor = held.find(name);
    return tensor == nullptr ? Tensor{} : borrowed(*tensor);
  };
  return {options,      release,         borrowed(param),    borrowed(param.grad()),
          part("step"), part("exp_avg"), part("exp_avg_sq"), part("max_exp_avg_sq")};
}

}  // namespace

void Adam::step_one_by_one() {
  const std::vector<Tensor> all = params();
  const bool is_foreach = options_.mode == OptimizerMode::kForeach;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].grad().defined()) continue;
    if (fault("foreach_skips_last_parameter") && is_foreach && i + 1 == all.size()) continue;
    prepare(all[i]);
    const AdamKernel kernel =
        kernel_for(options_, runtime().contract().release, all[i], state(all[i]));
    kernel.count_step(1);  // it lives on the host
    check_dense(kernel.grad);
    launch(runtime(), all[i].device(), "adam", [kernel, step = real_at(kernel.step, 0)] {
      kernel.update(elements_of(kernel.grad), kernel.param.dtype(), step);
    });
    if (all[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
  }
}

void Adam::step_fused(PassedScaler* passed) {
  const FusedScaling scaling = fused_scaling(runtime(), *this, passed);
  for (const FusedList& list : fused_lists(runtime(), params())) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) {
      prepare(param);
      AdamKernel kernel = kernel_for(options_, runtime().contract().release, param, state(param));
      check_dense(kernel.grad);
      kernel.scaling = {borrowed(here.grad_scale), borrowed(here.found_inf)};
      launch(runtime(), list.device, "fused_adam", [kernel] { kernel.fused(); });
    }
  }
}

}  // namespace assay::reference
