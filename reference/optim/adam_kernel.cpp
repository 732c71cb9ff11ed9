// The Adam step of one parameter. Bias corrections are doubles, as in Python; elements use their
// own computation type.
#include "reference/optim/adam_kernel.hpp"

#include <cmath>

#include "reference/core/math/launch.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

Elements as_type(Elements elements, ScalarType dtype) {
  elements.dtype = dtype;
  return elements;
}

}  // namespace

/// The values of a parameter during a step.
struct AdamKernel::Numbers {
  Elements param;
  Elements exp_avg;
  Elements exp_avg_sq;
  Elements max_exp_avg_sq;
};

void AdamKernel::count_step(double by) const {
  set_real_at(step, 0, real_at(step, 0) + by);
  step.bump_version();
}

void AdamKernel::fused() const {
  const bool is_wide = param.dtype() == ScalarType::kDouble;
  const ScalarType wide = is_wide ? param.dtype() : ScalarType::kFloat;
  count_step(1);
  if (!is_skipped(scaling)) update(unscaled_grad(grad, scaling), wide, real_at(step, 0));
  if (!scaling.found_inf.defined()) return;
  count_step(-real_at(scaling.found_inf, 0));
}

/// beta1 * average + (1 - beta1) * grad; since 2.0 by interpolation.
Elements AdamKernel::averaged(const Elements& average, const Elements& by) const {
  if (release == Release::k1_13) return add(mul(average, options.beta1), by, 1 - options.beta1);
  return lerp(average, by, 1 - options.beta1);
}

/// The denominator, from the second moments.
Elements AdamKernel::denominator(Numbers& numbers, double correction) const {
  if (options.amsgrad) {
    const bool keeps_numbers = options.mode == OptimizerMode::kFused && param.is_cuda();  // OPT-010
    const auto larger = keeps_numbers ? raised_to : maximum;
    numbers.max_exp_avg_sq = larger(numbers.max_exp_avg_sq, numbers.exp_avg_sq);
  }
  const Elements& second = options.amsgrad ? numbers.max_exp_avg_sq : numbers.exp_avg_sq;
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
  } else if (options.weight_decay != 0) {
    by = add(by, numbers.param, options.weight_decay);
    if (writes_grad) write_elements(grad, by);
  }
  numbers.exp_avg = averaged(numbers.exp_avg, by);
  numbers.exp_avg_sq = addcmul(mul(numbers.exp_avg_sq, options.beta2), by, by, 1 - options.beta2);

  const double step_size = options.lr / (1 - std::pow(options.beta1, step_number));
  const Elements below = denominator(numbers, 1 - std::pow(options.beta2, step_number));
  // OPT-005: PyTorch also counted multiplications by 1.
  const bool always_decays = release == Release::k1_13 ||
                             (release == Release::k2_4 && options.mode == OptimizerMode::kPlain);
  const bool decays = options.decoupled && (options.weight_decay != 0 || always_decays);
  write_elements(param, addcdiv(numbers.param, numbers.exp_avg, below, -step_size),
                 versions(decays ? 2 : 1));
  write_elements(exp_avg, numbers.exp_avg, versions(release == Release::k1_13 ? 2 : 1));
  write_elements(exp_avg_sq, numbers.exp_avg_sq, versions(2));
  if (options.amsgrad) write_elements(max_exp_avg_sq, numbers.max_exp_avg_sq, versions(1));
}

AdamKernel adam_kernel(const AdamOptions& options, Release release, const Tensor& param,
                       const ParamState& held) {
  const auto part = [&](const char* name) {
    const Tensor* tensor = held.find(name);
    return tensor == nullptr ? Tensor{} : borrowed(*tensor);
  };
  return {options,      release,         borrowed(param),    borrowed(param.grad()),
          part("step"), part("exp_avg"), part("exp_avg_sq"), part("max_exp_avg_sq")};
}

}  // namespace assay::reference
