// Validates the settings of stochastic gradient descent.
#include "reference/optim/sgd_settings.hpp"

#include <string>

namespace assay::reference {

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
