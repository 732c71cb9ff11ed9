// Maps positional and keyword arguments to options.
#include "reference/scaler/scaler_options.hpp"

#include <array>
#include <set>

#include "reference/core/types/error.hpp"

namespace assay::reference {

namespace {

constexpr std::array<const char*, 6> kNames = {"device",         "init_scale",      "growth_factor",
                                               "backoff_factor", "growth_interval", "enabled"};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kType, "GradScaler.__init__() " + message);
}

Scalar to_number(const std::string& name, const ScalerArgument& argument) {
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth;
  refuse("cannot compare " + name + ", a str, with a number");
}

/// A truth value is kept, and refused by the first update.
Scalar to_integer(const std::string& name, const ScalerArgument& argument) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth;
  refuse(name + " must be an int");
}

std::string to_text(const ScalerArgument& argument) {
  const auto* text = std::get_if<std::string>(&argument);
  return text == nullptr ? "not a device" : *text;
}

bool to_truth(const ScalerArgument& argument) {
  if (const auto* text = std::get_if<std::string>(&argument)) return !text->empty();
  return to_number("enabled", argument).real() != 0;
}

void set_option(ScalerOptions& options, const std::string& name, const ScalerArgument& argument) {
  if (name == "device") {
    options.device = to_text(argument);
  } else if (name == "init_scale") {
    const auto* text = std::get_if<std::string>(&argument);
    if (text != nullptr) options.init_scale = *text;
    if (text == nullptr) options.init_scale = to_number(name, argument);
  } else if (name == "growth_factor") {
    options.growth_factor = to_number(name, argument);
  } else if (name == "backoff_factor") {
    options.backoff_factor = to_number(name, argument);
  } else if (name == "growth_interval") {
    options.growth_interval = to_integer(name, argument);
  } else {
    options.enabled = to_truth(argument);
  }
}

ScalerApi api_of(const Runtime& runtime, const ScalerCall& call) {
  const bool is_old = runtime.contract().release == Release::k1_13;
  if (!call.api) return is_old ? ScalerApi::kTorchCudaAmp : ScalerApi::kTorchAmp;
  check(!is_old || *call.api == ScalerApi::kTorchCudaAmp, ErrorKind::kAttribute,
        [] { return "module has no attribute 'GradScaler' in this release"; });
  return *call.api;
}

/// Subclasses have a fixed device, so their first argument is the second one in this list.
std::size_t first_name_of(ScalerApi api) { return api == ScalerApi::kTorchAmp ? 0 : 1; }

void warn_of_subclass(Runtime& runtime, ScalerApi api) {
  const bool warns = runtime.contract().release != Release::k1_13 && api != ScalerApi::kTorchAmp;
  if (!warns) return;
  const std::string old = api == ScalerApi::kTorchCpuAmp ? "torch.cpu.amp" : "torch.cuda.amp";
  runtime.warn("FutureWarning", old + ".GradScaler is deprecated, use torch.amp.GradScaler and " +
                                    "name the device");
}

}  // namespace

ScalerOptions options_of(Runtime& runtime, const ScalerCall& call) {
  const ScalerApi api = api_of(runtime, call);
  warn_of_subclass(runtime, api);  // also if the arguments are refused
  ScalerOptions options;
  options.cuda_available = call.cuda_available;
  if (api == ScalerApi::kTorchCpuAmp) options.device = "cpu";
  std::size_t next = first_name_of(api);
  if (call.positional.size() > kNames.size() - next) refuse("takes fewer positional arguments");
  std::set<std::string> given;
  for (const ScalerArgument& argument : call.positional) {
    given.insert(kNames[next]);
    set_option(options, kNames[next++], argument);
  }
  for (const auto& [name, argument] : call.named) {
    if (name == "device" && api != ScalerApi::kTorchAmp) {
      refuse("got an unexpected keyword argument 'device'");
    }
    if (!given.insert(name).second) refuse("got multiple values for argument '" + name + "'");
    set_option(options, name, argument);
  }
  return options;
}

}  // namespace assay::reference
