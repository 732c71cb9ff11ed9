// The settings of Adam, AdamW and stochastic gradient descent: names, defaults and ranges.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// The optimizer class.
enum class AdamKind : std::uint8_t { kAdam, kAdamW };

/// A group's settings, converted for one step.
struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  ///< AdamW
  bool amsgrad = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

/// Whether the rate is a tensor (OPT-023).
bool has_tensor_rate(const Settings& settings);
/// Adds PyTorch's defaults (OPT-003). Raises `value` for a setting out of range (OPT-002) and
/// `type` for a fused AdamW before 2.0.
Settings checked_adam(Runtime& runtime, AdamKind kind, Settings settings);
Settings settings_of(const AdamOptions& options);
AdamOptions adam_options(const Settings& settings, AdamKind kind, OptimizerMode mode);

// Stochastic gradient descent.

/// A group's settings, converted for one step.
struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

/// Adds PyTorch's defaults (OPT-003). Raises `value` for a setting out of range (OPT-002) and
/// `type` for a fused form before 2.3.
Settings checked_sgd(Runtime& runtime, Settings settings);
Settings settings_of(const SgdOptions& options);
SgdOptions sgd_options(const Settings& settings, OptimizerMode mode);

}  // namespace assay::reference
