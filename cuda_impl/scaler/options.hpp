// How a scaler is made: what its constructors take, by release and by the name that is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/scalar.hpp"

namespace assay::cuda {

/// Numbers are kept as they were given: an int stays one until a tensor is filled with it.
struct ScalerOptions {
  /// `cuda`, `cpu`, `cuda:0`; nothing where it was given as anything but a text, which equals no
  /// text (SCL-004).
  std::optional<std::string> device = "cuda";
  Scalar init_scale = 65536.0;
  Scalar growth_factor = 2.0;
  Scalar backoff_factor = 0.5;
  Scalar growth_interval = 2000;
  bool enabled = true;
};

/// SCL-001: the name under which the class is called. The last two fix the device.
enum class ScalerClass : std::uint8_t { kTorchAmp, kTorchCudaAmp, kTorchCpuAmp };

/// Something that is neither a number nor a text: a device, None.
struct OtherArgument {
  std::string kind;
};
using ConstructorArgument = std::variant<Scalar, std::string, OtherArgument>;

struct ConstructorCall {
  /// Absent: the class that the release documents.
  std::optional<ScalerClass> called;
  std::vector<ConstructorArgument> positional;
  std::vector<std::pair<std::string, ConstructorArgument>> named;
  bool cuda_available = true;
};

/// What the call asks for, with the warnings that it gives (SCL-001, SCL-003) and its errors:
/// `type` for arguments that do not fit, `attribute` for a class that the release does not have,
/// `assertion` for factors (SCL-005).
ScalerOptions options_from(const ConstructorCall& call, Release release);

}  // namespace assay::cuda
