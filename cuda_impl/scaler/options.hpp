// The constructor arguments of a scaler, by release and class name.
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

/// Numbers keep their kind: an int stays an int until it fills a tensor.
struct ScalerOptions {
  /// `cuda`, `cpu`, `cuda:0`; empty if the argument was not a string, which then equals no device
  /// (SCL-004).
  std::optional<std::string> device = "cuda";
  Scalar init_scale = 65536.0;
  Scalar growth_factor = 2.0;
  Scalar backoff_factor = 0.5;
  Scalar growth_interval = 2000;
  bool enabled = true;
};

/// SCL-001: the class that is constructed. The last two have a fixed device.
enum class ScalerClass : std::uint8_t { kTorchAmp, kTorchCudaAmp, kTorchCpuAmp };

/// An argument that is neither a number nor a string, such as a device or None.
struct OtherArgument {
  std::string kind;
};
using ConstructorArgument = std::variant<Scalar, std::string, OtherArgument>;

struct ConstructorCall {
  /// Absent: the class that the release documents.
  std::optional<ScalerClass> api;
  std::vector<ConstructorArgument> positional;
  std::vector<std::pair<std::string, ConstructorArgument>> named;
  bool cuda_available = true;
};

/// Returns the options of a constructor call. Gives the warnings of SCL-001 and SCL-003. Raises
/// `type` for arguments that do not bind, `attribute` for a class that the release lacks, and
/// `assertion` for invalid factors (SCL-005).
ScalerOptions options_from(const ConstructorCall& call, Release release);

}  // namespace assay::cuda
