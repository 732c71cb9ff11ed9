// Adam and AdamW. Hyper-parameters and bias corrections are doubles, as in Python; elements use
// their own computation type.
#include "reference/optim/adam.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/device_hooks.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/step_settings.hpp"

namespace assay::reference {

// The step of one parameter.

/// The submitted work of a parameter's step.
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
  bool writes_grad = false;     ///< OPT-004
  bool counts_versions = true;  ///< OPT-005

  void update(const Elements& raw_grad, ScalarType compute, double step_number) const;
  void count_step(double by) const;

  /// Increments the counters before the kernel and subtracts the flag after it, so that a skipped
  /// step leaves them unchanged (SCL-613).
  void fused() const;

 private:
  struct Numbers;

  int versions(int counted) const { return counts_versions ? counted : 0; }
  Elements averaged(const Elements& average, const Elements& by) const;
  Elements denominator(Numbers& numbers, double correction) const;
};

/// Creates the kernel for a parameter and its state, whose tensors it borrows.
AdamKernel adam_kernel(const AdamOptions& options, Release release, const Tensor& param,
                       const ParamState& held);

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

// The optimizers.

Adam::Adam(Runtime& runtime, std::vector<ParamGroup> groups, Kind kind, const Settings& given)
    : Optimizer(runtime, std::move(groups), checked_adam(runtime, kind, given)), kind_(kind) {
  if (runtime.contract().release < Release::k2_11) check_all_fusable(runtime, *this);
}

Adam::Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options)
    : Adam(runtime, std::move(groups), options.decoupled ? Kind::kAdamW : Kind::kAdam,
           settings_of(options)) {}

bool Adam::takes_grad_scaler() const {
  return supports_amp_scaling() && runtime().contract().release == Release::k1_13;
}

std::any Adam::run(const StepCall& call) {
  const bool is_capturable = std::ranges::all_of(
      groups(), [](const ParamGroup& group) { return group.settings.is_on("capturable"); });
  check(is_capturable || !is_captured(runtime()), [] {
    return "Attempting CUDA graph capture of step() for an instance of Adam but capturable is "
           "False";  // SCL-715
  });
  std::any loss = call_closure(call);
  for (const ParamGroup& group : groups()) {
    step_group(group, call.grad_scaler.get());
  }
  return loss;
}

void Adam::check_sparse(const Tensor& grad) const {
  const bool is_old_w = kind_ == Kind::kAdamW && runtime().contract().release < Release::k2_11;
  check(!grad.is_sparse(), [&] {
    return is_old_w ? "AdamW does not support sparse gradients"
                    : "Adam does not support sparse gradients, please consider SparseAdam instead";
  });
}

void Adam::step_group(const ParamGroup& group, PassedScaler* passed) {
  const std::vector<Tensor> params = with_gradients(group);
  const bool is_capturable = group.settings.is_on("capturable");
  const bool reads_rate = has_tensor_rate(group.settings) && !is_capturable;
  AdamOptions options = adam_options(as_numbers(runtime(), group.settings), kind_,
                                     mode_of(runtime(), group.settings, params));
  const bool is_asked = group.settings.is_on("foreach");
  if (reads_rate && options.mode == OptimizerMode::kForeach && !is_asked) {
    options.mode = OptimizerMode::kPlain;  // OPT-023
  }
  for (const Tensor& param : params) {
    check_sparse(param.grad());
    prepare(options, param, is_capturable);
    check(!reads_rate || options.mode != OptimizerMode::kForeach,
          [] { return "lr as a Tensor is not supported for capturable=False and foreach=True"; });
  }
  if (options.mode == OptimizerMode::kFused) return step_fused(options, params, passed);
  const bool asks = options.mode == OptimizerMode::kPlain || !params.empty();
  if (asks) reject_scaler_attributes(runtime(), *this);
  if (is_capturable) return step_capturable(options, params);
  step_one_by_one(options, params);
}

/// OPT-024: counts on the device, so that each replay of a capture counts.
void Adam::step_capturable(const AdamOptions& options, const std::vector<Tensor>& params) {
  check(std::ranges::all_of(params, [](const Tensor& param) { return param.is_cuda(); }),
        ErrorKind::kAssertion,
        [] { return "If capturable=True, params and state_steps must be on supported devices"; });
  const Contract& contract = runtime().contract();
  for (const Tensor& param : params) {
    const AdamKernel kernel = adam_kernel(options, contract.release, param, state(param));
    launch(runtime(), param.device(), "adam", [kernel] {
      kernel.count_step(1);
      kernel.update(elements_of(kernel.grad), kernel.param.dtype(), real_at(kernel.step, 0));
    });
    ++runtime().counters().launches;
  }
  for (const Tensor& param : params) check_written(runtime(), param);
}

/// A loaded state must be complete and match the parameter's size.
void Adam::check_loaded(const AdamOptions& options, const Tensor& param) {
  const ParamState& held = state(param);
  const auto check_moment = [&](const char* name) {
    const Tensor* moment = held.find(name);
    check(moment != nullptr && moment->defined(), ErrorKind::kKey,
          [&] { return "'" + std::string(name) + "'"; });
    check(moment->sizes() == param.sizes(), [&] {
      return std::string(name) + " must have the size of its parameter, " + describe(param) +
             ", but is " + describe(*moment);
    });
  };
  check_moment("exp_avg");
  check_moment("exp_avg_sq");
  if (options.amsgrad) check_moment("max_exp_avg_sq");
  const Tensor* step = held.find("step");
  check(step != nullptr && step->defined() && step->numel() == 1, ErrorKind::kKey,
        [] { return "'step'"; });
  const bool is_listed =
      options.mode == OptimizerMode::kForeach && runtime().contract().release != Release::k1_13;
  check(!is_listed || is_floating(step->dtype()), [&] {
    return "tensors of the same index must have the same dtype, except steps of float32 and "
           "float64, but a step is " +
           describe(*step);
  });
}

void Adam::prepare(const AdamOptions& options, const Tensor& param, bool is_capturable) {
  ParamState& held = state(param);
  if (!held.tensors().empty()) return check_loaded(options, param);
  const bool is_fused = options.mode == OptimizerMode::kFused;
  const bool has_dim = is_fused && runtime().contract().release == Release::k1_13;
  const auto zeros_like = [&] {
    return zeros(runtime(), param.sizes(), param.dtype(), param.device());
  };
  held.set("step", zeros(runtime(), has_dim ? Shape{1} : Shape{}, ScalarType::kFloat,
                         is_fused || is_capturable ? param.device() : kCpuDevice));
  held.set("exp_avg", zeros_like());
  held.set("exp_avg_sq", zeros_like());
  if (options.amsgrad) held.set("max_exp_avg_sq", zeros_like());
}

namespace {

/// The decay is a factor of a summand; the step size is multiplied by a quotient, which half
/// types compute in float32 (OPT-019).
void check_factors(const Contract& contract, const AdamKernel& kernel) {
  const AdamOptions& options = kernel.options;
  if (!options.decoupled) check_held(contract, kernel.param, options.weight_decay);
  const double counted = real_at(kernel.step, 0);
  const double step_size = options.lr / (1 - std::pow(options.beta1, counted));
  const bool is_wide = kernel.param.dtype() == ScalarType::kDouble;
  if (!is_wide) Scalar(-step_size).bits_as(ScalarType::kFloat, contract);
}

}  // namespace

void Adam::step_one_by_one(const AdamOptions& options, const std::vector<Tensor>& params) {
  const Contract& contract = runtime().contract();
  const bool is_foreach = options.mode == OptimizerMode::kForeach;
  for (std::size_t i = 0; i < params.size(); ++i) {
    AdamKernel kernel = adam_kernel(options, contract.release, params[i], state(params[i]));
    // 1.13's foreach form added the decay to the gradients in place, unless they were negated.
    kernel.writes_grad =
        contract.release == Release::k1_13 && !contract.strict() && is_foreach && !options.maximize;
    kernel.count_step(1);  // the counter is on the host
    check_factors(contract, kernel);
    launch(runtime(), params[i].device(), "adam", [kernel, step = real_at(kernel.step, 0)] {
      kernel.update(elements_of(kernel.grad), kernel.param.dtype(), step);
    });
    if (params[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
    if (!is_foreach) check_written(runtime(), params[i]);
  }
  for (const Tensor& param : params) check_written(runtime(), param);
}

void Adam::step_fused(const AdamOptions& options, const std::vector<Tensor>& params,
                      PassedScaler* passed) {
  if (params.empty() && passed == nullptr) return;
  const FusedScaling scaling = fused_scaling(runtime(), *this, passed);
  for (const FusedList& list : fused_lists(runtime(), params)) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) {
      AdamKernel kernel = adam_kernel(options, runtime().contract().release, param, state(param));
      kernel.counts_versions = false;
      kernel.scaling = {borrowed(here.grad_scale), borrowed(here.found_inf)};
      launch(runtime(), list.device, "fused_adam", [kernel] { kernel.fused(); });
    }
  }
}

}  // namespace assay::reference
