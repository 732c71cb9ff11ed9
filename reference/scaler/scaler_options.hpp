// How scalers are constructed: by which name, with which arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

/// Python looks at a number only when it needs one; until then it may be text, and an int stays
/// one.
using ScalerNumber = std::variant<Scalar, std::string>;
using ScalerArgument = std::variant<bool, std::int64_t, double, std::string>;

struct ScalerOptions {
  std::string device = "cuda";
  ScalerNumber init_scale = Scalar(65536.0);
  Scalar growth_factor = 2.0;
  Scalar backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  bool enabled = true;
  /// Whether this process sees a CUDA device.
  bool cuda_available = true;
};

enum class ScalerApi : std::uint8_t { kTorchAmp, kTorchCudaAmp, kTorchCpuAmp };

struct ScalerCall {
  /// Absent: the class of the release.
  std::optional<ScalerApi> api;
  std::vector<ScalerArgument> positional;
  std::vector<std::pair<std::string, ScalerArgument>> named;
  bool cuda_available = true;
};

/// What a call of the constructor means. The first positional argument is the device for
/// `torch.amp`, the initial scale for its subclasses and before 2.3; constructing a subclass warns
/// since 2.4 (SCL-001). Raises `attribute` for a name that the release does not have, `type` for
/// arguments that the constructor does not take.
ScalerOptions options_of(Runtime& runtime, const ScalerCall& call);

}  // namespace assay::reference
