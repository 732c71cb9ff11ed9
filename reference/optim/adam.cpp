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
#include "reference/core/scalar.hpp"

namespace assay::reference {

namespace {

Settings adam_defaults(const Runtime& runtime, bool is_decoupled) {
  const Release release = runtime.contract().release;
  const bool decays = is_decoupled && !fault("adamw_has_no_decay_of_its_own");
  Settings settings = {{"lr", 1e-3},
                       {"betas", std::vector<double>{0.9, 0.999}},
                       {"eps", 1e-8},
                       {"weight_decay", decays ? Setting(0.01) : Setting(std::int64_t{0})},
                       {"amsgrad", false},
                       {"maximize", false},
                       {"foreach", std::monostate{}},
                       {"capturable", false}};
  if (release == Release::k2_11) settings.set("decoupled_weight_decay", is_decoupled);
  if (release == Release::k1_13 && is_decoupled) return settings;
  settings.set("differentiable", false);
  settings.set("fused", release == Release::k1_13 ? Setting(false) : Setting());
  return settings;
}

/// OPT-002: a NaN is in no range.
void check_settings(const Settings& settings) {
  const auto need = [](bool condition, const char* name, double value) {
    check(condition, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
  };
  const auto at_least_zero = [&](const char* name, const char* what) {
    const double value = settings.real(name);
    need(fault("adam_takes_nan") ? !(value < 0) : value >= 0, what, value);
  };
  const auto below_one = [&](std::size_t index, const char* what) {
    const double value = settings.real_in("betas", index);
    need(value >= 0 && (value < 1 || fault("adam_takes_a_beta_of_one")), what, value);
  };
  at_least_zero("lr", "learning rate");
  at_least_zero("eps", "epsilon value");
  below_one(0, "beta parameter at index 0");
  below_one(1, "beta parameter at index 1");
  at_least_zero("weight_decay", "weight_decay value");
}

Settings checked(const Runtime& runtime, Adam::Kind kind, Settings settings) {
  const bool is_decoupled = kind == Adam::Kind::kAdamW;
  const bool has_fused = runtime.contract().release != Release::k1_13 || !is_decoupled;
  check(!settings.is_on("fused") || has_fused, ErrorKind::kType,
        [] { return "AdamW got an unexpected keyword argument 'fused'"; });
  settings.complete(adam_defaults(runtime, is_decoupled));
  check_settings(settings);
  return settings;
}

Settings settings_of(const AdamOptions& options) {
  Settings settings = {
      {"lr", options.lr},           {"betas", std::vector<double>{options.beta1, options.beta2}},
      {"eps", options.eps},         {"weight_decay", options.weight_decay},
      {"amsgrad", options.amsgrad}, {"maximize", options.maximize}};
  set_mode(settings, options.mode);
  return settings;
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

Adam::Adam(Runtime& runtime, std::vector<ParamGroup> groups, Kind kind, const Settings& given)
    : Optimizer(runtime, std::move(groups), checked(runtime, kind, given)), kind_(kind) {
  if (runtime.contract().release != Release::k2_11) check_all_fusable(runtime, *this);
}

Adam::Adam(Runtime& runtime, std::vector<ParamGroup> groups, const AdamOptions& options)
    : Adam(runtime, std::move(groups), options.decoupled ? Kind::kAdamW : Kind::kAdam,
           settings_of(options)) {}

bool Adam::takes_grad_scaler() const {
  return supports_amp_scaling() && runtime().contract().release == Release::k1_13;
}

AdamOptions Adam::options_of(const Settings& settings, OptimizerMode mode) const {
  return mistaken({.lr = settings.real("lr"),
                   .beta1 = settings.real_in("betas", 0),
                   .beta2 = settings.real_in("betas", 1),
                   .eps = settings.real("eps"),
                   .weight_decay = settings.real("weight_decay"),
                   .decoupled = kind_ == Kind::kAdamW,
                   .amsgrad = settings.is_on("amsgrad"),
                   .maximize = settings.is_on("maximize"),
                   .mode = mode});
}

std::any Adam::run(const StepCall& call) {
  check(!is_captured(runtime()) || fault("adam_is_captured"), [] {
    return "Attempting CUDA graph capture of step() for an instance of Adam but capturable is "
           "False";  // SCL-715
  });
  std::any loss = call_closure(call);
  for (const ParamGroup& group : groups()) {
    step_group(group, call.grad_scaler.get());
    if (fault("optim_only_first_group")) break;
  }
  return loss;
}

void Adam::check_sparse(const Tensor& grad) const {
  const bool is_old_w = kind_ == Kind::kAdamW && runtime().contract().release != Release::k2_11;
  check(!grad.is_sparse(), [&] {
    return is_old_w ? "AdamW does not support sparse gradients"
                    : "Adam does not support sparse gradients, please consider SparseAdam instead";
  });
}

void Adam::step_group(const ParamGroup& group, PassedScaler* passed) {
  const std::vector<Tensor> params = with_gradients(group);
  const AdamOptions options =
      options_of(group.settings, mode_of(runtime(), group.settings, params));
  for (const Tensor& param : params) {
    check_sparse(param.grad());
    prepare(options, param);
  }
  if (options.mode == OptimizerMode::kFused) return step_fused(options, params, passed);
  const bool asks = options.mode == OptimizerMode::kPlain || !params.empty();
  if (asks) refuse_lent(runtime(), *this);
  step_one_by_one(options, params);
}

/// What was loaded must be all there, and of the parameter's size.
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
}

void Adam::prepare(const AdamOptions& options, const Tensor& param) {
  ParamState& held = state(param);
  if (!held.tensors().empty()) return check_loaded(options, param);
  const bool is_fused = options.mode == OptimizerMode::kFused;
  const bool has_dim = is_fused && runtime().contract().release == Release::k1_13;
  const auto zeros_like = [&] {
    return zeros(runtime(), param.sizes(), param.dtype(), param.device());
  };
  const ScalarType counter =
      fault("adam_counts_in_the_parameter_s_type") ? param.dtype() : ScalarType::kFloat;
  held.set("step", zeros(runtime(), has_dim ? Shape{1} : Shape{}, counter,
                         is_fused ? param.device() : kCpuDevice));
  held.set("exp_avg", zeros_like());
  held.set("exp_avg_sq", zeros_like());
  if (options.amsgrad) held.set("max_exp_avg_sq", zeros_like());
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
  bool writes_grad = false;     ///< OPT-004
  bool counts_versions = true;  ///< OPT-005

  void update(const Elements& raw_grad, ScalarType compute, double step_number) const;
  void count_step(double by) const {
    set_real_at(step, 0, real_at(step, 0) + by);
    step.bump_version();
  }

  /// The counters go up before the kernel, and down by the flag after it: a skipped step leaves
  /// them as they were (SCL-613).
  void fused() const {
    const bool is_wide =
        param.dtype() == ScalarType::kDouble || fault("fused_adam_rounds_as_the_loop_does");
    const ScalarType wide = is_wide ? param.dtype() : ScalarType::kFloat;
    count_step(1);
    if (!is_skipped(scaling)) update(unscaled_grad(grad, scaling), wide, real_at(step, 0));
    if (!scaling.found_inf.defined() || fault("fused_adam_counts_skipped_steps")) return;
    count_step(-real_at(scaling.found_inf, 0));
  }

 private:
  int versions(int counted) const { return counts_versions ? counted : 0; }
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
    if (writes_grad) write_elements(grad, by);
  }
  numbers.exp_avg = averaged(numbers.exp_avg, by);
  numbers.exp_avg_sq = addcmul(mul(numbers.exp_avg_sq, options.beta2), by, by, 1 - options.beta2);

  const double count = fault("adam_ignores_bias_correction") ? 1e9 : step_number;
  const double step_size = options.lr / (1 - std::pow(options.beta1, count));
  const Elements below = denominator(numbers, 1 - std::pow(options.beta2, count));
  // OPT-005: where PyTorch multiplied by 1, it counted that as well.
  const bool always_decays = release == Release::k1_13 ||
                             (release == Release::k2_4 && options.mode == OptimizerMode::kPlain);
  const bool decays = options.decoupled && (options.weight_decay != 0 || always_decays);
  write_elements(param, addcdiv(numbers.param, numbers.exp_avg, below, -step_size),
                 versions(decays ? 2 : 1));
  write_elements(exp_avg, numbers.exp_avg, versions(release == Release::k1_13 ? 2 : 1));
  write_elements(exp_avg_sq, numbers.exp_avg_sq, versions(2));
  if (options.amsgrad) write_elements(max_exp_avg_sq, numbers.max_exp_avg_sq, versions(1));
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

namespace {

/// The decay is the factor of a summand; the size of the step is a number beside a quotient, which
/// half types compute in float32 (OPT-019).
void check_factors(const Contract& contract, const AdamKernel& kernel) {
  const AdamOptions& options = kernel.options;
  if (!options.decoupled) check_held(contract, kernel.param, options.weight_decay);
  const double counted = real_at(kernel.step, 0);
  const double step_size = options.lr / (1 - std::pow(options.beta1, counted));
  const bool is_wide =
      kernel.param.dtype() == ScalarType::kDouble || fault("optim_numbers_have_any_size");
  if (!is_wide) Scalar(-step_size).bits_as(ScalarType::kFloat, contract);
}

}  // namespace

void Adam::step_one_by_one(const AdamOptions& options, const std::vector<Tensor>& params) {
  const Contract& contract = runtime().contract();
  const bool is_foreach = options.mode == OptimizerMode::kForeach;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (fault("foreach_skips_last_parameter") && is_foreach && i + 1 == params.size()) continue;
    AdamKernel kernel = kernel_for(options, contract.release, params[i], state(params[i]));
    // 1.13's foreach form added the decay to the gradients themselves, unless they were negated.
    kernel.writes_grad =
        contract.release == Release::k1_13 && !contract.strict() && is_foreach && !options.maximize;
    kernel.count_step(1);  // it lives on the host
    check_factors(contract, kernel);
    const bool takes_first = is_foreach && fault("foreach_adam_corrects_all_as_the_first");
    const Tensor counter = takes_first ? *state(params.front()).find("step") : kernel.step;
    launch(runtime(), params[i].device(), "adam", [kernel, step = real_at(counter, 0)] {
      kernel.update(elements_of(kernel.grad), kernel.param.dtype(), step);
    });
    if (params[i].is_cuda() && (!is_foreach || i == 0)) ++runtime().counters().launches;
  }
}

void Adam::step_fused(const AdamOptions& options, const std::vector<Tensor>& params,
                      PassedScaler* passed) {
  if (params.empty() && passed == nullptr) return;
  const FusedScaling scaling = fused_scaling(runtime(), *this, passed);
  for (const FusedList& list : fused_lists(runtime(), params)) {
    const FusedScaling here = scaling_on(runtime(), scaling, list.device);
    if (list.device.is_cuda()) ++runtime().counters().launches;
    for (const Tensor& param : list.params) {
      AdamKernel kernel = kernel_for(options, runtime().contract().release, param, state(param));
      kernel.counts_versions = fault("fused_steps_count_versions");
      kernel.scaling = {borrowed(here.grad_scale), borrowed(here.found_inf)};
      launch(runtime(), list.device, "fused_adam", [kernel] { kernel.fused(); });
    }
  }
}

}  // namespace assay::reference
