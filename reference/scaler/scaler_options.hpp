// The constructor arguments of scalers, for each class name.
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

/// Python validates a number only when it uses it, so this may hold a string; ints stay ints until
/// then.
using ScalerNumber = std::variant<Scalar, std::string>;
using ScalerArgument = std::variant<bool, std::int64_t, double, std::string>;

struct ScalerOptions {
  std::string device = "cuda";
  ScalerNumber init_scale = Scalar(65536.0);
  Scalar growth_factor = 2.0;
  Scalar backoff_factor = 0.5;
  Scalar growth_interval = std::int64_t{2000};
  bool enabled = true;
  /// whether the process sees a CUDA device
  bool cuda_available = true;
};

enum class ScalerApi : std::uint8_t { kTorchAmp, kTorchCudaAmp, kTorchCpuAmp };

struct ScalerCall {
  /// Absent: the class that the release recommends.
  std::optional<ScalerApi> api;
  std::vector<ScalerArgument> positional;
  std::vector<std::pair<std::string, ScalerArgument>> named;
  bool cuda_available = true;
};

/// Interprets a constructor call. The first positional argument is the
/// device for `torch.amp`, but the initial scale for its subclasses and
/// before 2.3. Subclasses warn since 2.4 (SCL-001). Raises `attribute` for a
/// class that the release lacks and `type` for arguments that do not match.
ScalerOptions options_of(Runtime& runtime, const ScalerCall& call);

}  // namespace assay::reference
