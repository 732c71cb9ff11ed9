// Binds and checks the arguments of a scaler's constructor.
#include "cuda_impl/scaler/options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

constexpr std::array<std::string_view, 6> kParameters = {
    "device", "init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled"};

ScalerClass class_of(const ConstructorCall& call, Release release) {
  const bool is_old = release == Release::k1_13;
  const ScalerClass called =
      call.api.value_or(is_old ? ScalerClass::kTorchCudaAmp : ScalerClass::kTorchAmp);
  require(!is_old || called == ScalerClass::kTorchCudaAmp, ErrorKind::kAttribute, [&] {
    return std::string("module 'torch.") + (called == ScalerClass::kTorchAmp ? "amp" : "cpu.amp") +
           "' has no attribute 'GradScaler'";
  });
  return called;
}

class Binding {
 public:
  /// A class with a fixed device has no `device` parameter.
  Binding(const ConstructorCall& call, bool fixes_device) {
    const std::size_t first = fixes_device ? 1 : 0;
    require(call.positional.size() <= kParameters.size() - first, ErrorKind::kType, [&] {
      return "GradScaler takes " + std::to_string(kParameters.size() - first) +
             " arguments at most, " + std::to_string(call.positional.size()) + " were given";
    });
    for (std::size_t i = 0; i < call.positional.size(); ++i) {
      given_[first + i] = &call.positional[i];
    }
    for (const auto& [name, value] : call.named) bind(name, value, first);
  }

  const ConstructorArgument* operator[](std::string_view name) const {
    return given_[position_of(name)];
  }

 private:
  static std::size_t position_of(std::string_view name) {
    const auto found = std::find(kParameters.begin(), kParameters.end(), name);
    return static_cast<std::size_t>(found - kParameters.begin());
  }

  void bind(const std::string& name, const ConstructorArgument& value, std::size_t first) {
    const std::size_t at = position_of(name);
    require(at >= first && at < kParameters.size(), ErrorKind::kType,
            [&] { return "GradScaler got an unexpected keyword argument '" + name + "'"; });
    require(given_[at] == nullptr, ErrorKind::kType,
            [&] { return "GradScaler got multiple values for argument '" + name + "'"; });
    given_[at] = &value;
  }

  std::array<const ConstructorArgument*, kParameters.size()> given_{};
};

void read_number(const Binding& binding, std::string_view name, Scalar& number) {
  const ConstructorArgument* given = binding[name];
  if (given == nullptr) return;
  const auto* scalar = std::get_if<Scalar>(given);
  require(scalar != nullptr, ErrorKind::kType,
          [&] { return std::string(name) + " must be a number"; });
  number = *scalar;
}

void read_device(const Binding& binding, std::optional<std::string>& device) {
  const ConstructorArgument* given = binding["device"];
  if (given == nullptr) return;
  const auto* text = std::get_if<std::string>(given);
  device = text == nullptr ? std::nullopt : std::optional(*text);
}

void read_enabled(const Binding& binding, bool& enabled) {
  const ConstructorArgument* given = binding["enabled"];
  if (given == nullptr) return;
  const auto* number = std::get_if<Scalar>(given);
  const auto* text = std::get_if<std::string>(given);
  enabled = number != nullptr ? number->real() != 0 : text == nullptr || !text->empty();
}

/// SCL-005, SCL-006: in older releases, non-numbers failed the assertions.
void check_factors(const ScalerOptions& options, Release release) {
  const double growth = options.growth_factor.real();
  const double backoff = options.backoff_factor.real();
  const bool nan_passes = release >= Release::k2_11;
  require(nan_passes ? !(growth <= 1.0) : growth > 1.0, ErrorKind::kAssertion,
          [] { return "the growth factor must be > 1.0"; });
  require(nan_passes ? !(backoff >= 1.0) : backoff < 1.0, ErrorKind::kAssertion,
          [] { return "the backoff factor must be < 1.0"; });
}

void warn_of_subclass(ScalerClass called) {
  const std::string device = called == ScalerClass::kTorchCudaAmp ? "cuda" : "cpu";
  warn("FutureWarning", "torch." + device +
                            ".amp.GradScaler is deprecated, use torch.amp.GradScaler('" + device +
                            "', ...) instead");
}

}  // namespace

ScalerOptions options_from(const ConstructorCall& call, Release release) {
  const ScalerClass called = class_of(call, release);
  const bool fixes_device = called != ScalerClass::kTorchAmp;
  if (fixes_device && release != Release::k1_13) warn_of_subclass(called);

  const Binding binding(call, fixes_device);
  ScalerOptions options;
  if (called == ScalerClass::kTorchCpuAmp) options.device = "cpu";
  read_device(binding, options.device);
  read_number(binding, "init_scale", options.init_scale);
  read_number(binding, "growth_factor", options.growth_factor);
  read_number(binding, "backoff_factor", options.backoff_factor);
  read_number(binding, "growth_interval", options.growth_interval);
  read_enabled(binding, options.enabled);

  if (options.enabled && options.device == "cuda" && !call.cuda_available) {
    warn("UserWarning",
         "torch.cuda.amp.GradScaler is enabled, but CUDA is not available. Disabling.");
    options.enabled = false;  // SCL-003
  }
  if (options.enabled) check_factors(options, release);
  return options;
}

}  // namespace assay::cuda
