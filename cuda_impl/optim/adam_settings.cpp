// The settings of Adam and AdamW: defaults, ranges, and rates that are tensors.
#include "cuda_impl/optim/adam_settings.hpp"

#include <string>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

void check_value(bool holds, const char* name, double value) {
  require(holds, ErrorKind::kValue,
          [&] { return "Invalid " + std::string(name) + ": " + std::to_string(value); });
}

Settings with_defaults(Settings given, bool is_decoupled, Release release) {
  const Setting none;
  const Setting decay = is_decoupled ? Setting(0.01) : Setting(std::int64_t{0});
  given.insert({{"lr", 1e-3},
                {"betas", Betas{0.9, 0.999}},
                {"eps", 1e-8},
                {"weight_decay", decay},
                {"amsgrad", false},
                {"maximize", false},
                {"foreach", none},
                {"capturable", false}});
  if (release >= Release::k2_11) given.insert({{"decoupled_weight_decay", is_decoupled}});
  if (release == Release::k1_13 && is_decoupled) return given;
  given.insert(
      {{"differentiable", false}, {"fused", release == Release::k1_13 ? Setting(false) : none}});
  return given;
}

}  // namespace

Settings checked_adam(Settings given, bool is_decoupled, Release release) {
  const bool is_known = !is_true(given, "fused") || !is_decoupled || release != Release::k1_13;
  require(is_known, ErrorKind::kType,
          [] { return "AdamW got an unexpected keyword argument 'fused'"; });
  Settings settings = with_defaults(std::move(given), is_decoupled, release);
  const bool takes_tensors = !is_true(settings, "foreach") || is_true(settings, "capturable");
  require(tensor_rate(settings) == nullptr || takes_tensors, ErrorKind::kValue,
          [] { return "lr as a Tensor is not supported for capturable=False and foreach=True"; });
  check_rate(settings, release);
  const double lr = number_of(settings, "lr");
  const double eps = number_of(settings, "eps");
  const double decay = number_of(settings, "weight_decay");
  const auto [beta1, beta2] = betas_of(settings);
  check_value(lr >= 0, "learning rate", lr);
  check_value(eps >= 0, "epsilon value", eps);
  check_value(beta1 >= 0 && beta1 < 1, "beta parameter at index 0", beta1);
  check_value(beta2 >= 0 && beta2 < 1, "beta parameter at index 1", beta2);
  check_value(decay >= 0, "weight_decay value", decay);
  return settings;
}

Settings adam_settings_of(const AdamOptions& options) {
  Settings settings = {{"lr", options.lr},
                       {"betas", Betas{options.beta1, options.beta2}},
                       {"eps", options.eps},
                       {"weight_decay", options.weight_decay},
                       {"amsgrad", options.amsgrad},
                       {"maximize", options.maximize},
                       {"capturable", options.capturable}};
  write_mode(settings, options.mode);
  return settings;
}

}  // namespace assay::cuda
