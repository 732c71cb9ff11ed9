// Validates the settings of Adam, AdamW and stochastic gradient descent.
#include "reference/optim/step_settings.hpp"

#include <string>

namespace assay::reference {
namespace {

Settings adam_defaults(const Runtime& runtime, bool is_decoupled) {
  const Release release = runtime.contract().release;
  Settings settings = {{"lr", 1e-3},
                       {"betas", std::vector<double>{0.9, 0.999}},
                       {"eps", 1e-8},
                       {"weight_decay", is_decoupled ? Setting(0.01) : Setting(std::int64_t{0})},
                       {"amsgrad", false},
                       {"maximize", false},
                       {"foreach", std::monostate{}},
                       {"capturable", false}};
  if (release >= Release::k2_11) settings.set("decoupled_weight_decay", is_decoupled);
  if (release == Release::k1_13 && is_decoupled) return settings;
  settings.set("differentiable", false);
  settings.set("fused", release == Release::k1_13 ? Setting(false) : Setting());
  return settings;
}

/// OPT-002: NaN is out of every range.
void check_settings(const Settings& settings) {
  const auto need = [](bool condition, const char* name, double value) {
    check(condition, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
  };
  const auto at_least_zero = [&](const char* name, const char* what) {
    const double value = settings.real(name);
    need(value >= 0, what, value);
  };
  const auto below_one = [&](std::size_t index, const char* what) {
    const double value = settings.real_in("betas", index);
    need(value >= 0 && value < 1, what, value);
  };
  at_least_zero("lr", "learning rate");
  at_least_zero("eps", "epsilon value");
  below_one(0, "beta parameter at index 0");
  below_one(1, "beta parameter at index 1");
  at_least_zero("weight_decay", "weight_decay value");
}

}  // namespace

bool has_tensor_rate(const Settings& settings) {
  const Setting* rate = settings.find("lr");
  return rate != nullptr && std::holds_alternative<Tensor>(*rate);
}

Settings checked_adam(Runtime& runtime, AdamKind kind, Settings settings) {
  const bool is_decoupled = kind == AdamKind::kAdamW;
  const bool has_fused = runtime.contract().release != Release::k1_13 || !is_decoupled;
  check(!settings.is_on("fused") || has_fused, ErrorKind::kType,
        [] { return "AdamW got an unexpected keyword argument 'fused'"; });
  settings.complete(adam_defaults(runtime, is_decoupled));
  const bool takes_tensors = !settings.is_on("foreach") || settings.is_on("capturable");
  check(!has_tensor_rate(settings) || takes_tensors, ErrorKind::kValue,
        [] { return "lr as a Tensor is not supported for capturable=False and foreach=True"; });
  check_rate(runtime, settings);
  check_settings(as_numbers(runtime, settings));
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

AdamOptions adam_options(const Settings& settings, AdamKind kind, OptimizerMode mode) {
  return {.lr = settings.real("lr"),
          .beta1 = settings.real_in("betas", 0),
          .beta2 = settings.real_in("betas", 1),
          .eps = settings.real("eps"),
          .weight_decay = settings.real("weight_decay"),
          .decoupled = kind == AdamKind::kAdamW,
          .amsgrad = settings.is_on("amsgrad"),
          .maximize = settings.is_on("maximize"),
          .mode = mode};
}

// Stochastic gradient descent.

namespace {

Settings sgd_defaults(const Runtime& runtime) {
  Settings settings = {{"momentum", std::int64_t{0}},
                       {"dampening", std::int64_t{0}},
                       {"weight_decay", std::int64_t{0}},
                       {"nesterov", false},
                       {"maximize", false},
                       {"foreach", std::monostate{}},
                       {"differentiable", false}};
  if (runtime.contract().release == Release::k1_13) return settings;
  settings.set("lr", 1e-3);
  settings.set("fused", std::monostate{});
  return settings;
}

/// OPT-002: NaN is not below any limit.
void check_settings(const Runtime& runtime, const Settings& settings) {
  const auto not_below_zero = [&](const char* name, const char* what) {
    const double value = settings.real(name);
    check(!(value < 0), ErrorKind::kValue,
          [&] { return "Invalid " + std::string(what) + ": " + std::to_string(value); });
  };
  const bool has_fused = runtime.contract().release != Release::k1_13;
  check(!settings.is_on("fused") || has_fused, ErrorKind::kType,
        [] { return "SGD got an unexpected keyword argument 'fused'"; });
  check(settings.find("lr") != nullptr, ErrorKind::kValue, [] {
    return "parameter group didn't specify a value of required optimization parameter lr";
  });
  not_below_zero("lr", "learning rate");
  not_below_zero("momentum", "momentum value");
  not_below_zero("weight_decay", "weight_decay value");
  const bool suits_nesterov = !(settings.real("momentum") <= 0) && settings.real("dampening") == 0;
  check(!settings.is_on("nesterov") || suits_nesterov, ErrorKind::kValue,
        [] { return "Nesterov momentum requires a momentum and zero dampening"; });
}

}  // namespace

Settings checked_sgd(Runtime& runtime, Settings settings) {
  settings.complete(sgd_defaults(runtime));
  check_rate(runtime, settings);
  check_settings(runtime, as_numbers(runtime, settings));
  return settings;
}

Settings settings_of(const SgdOptions& options) {
  Settings settings = {{"lr", options.lr},
                       {"momentum", options.momentum},
                       {"dampening", options.dampening},
                       {"weight_decay", options.weight_decay},
                       {"nesterov", options.nesterov},
                       {"maximize", options.maximize}};
  set_mode(settings, options.mode);
  return settings;
}

SgdOptions sgd_options(const Settings& settings, OptimizerMode mode) {
  return {.lr = settings.real("lr"),
          .momentum = settings.real("momentum"),
          .dampening = settings.real("dampening"),
          .weight_decay = settings.real("weight_decay"),
          .nesterov = settings.is_on("nesterov"),
          .maximize = settings.is_on("maximize"),
          .mode = mode};
}

}  // namespace assay::reference
