// The settings of stochastic gradient descent: names, defaults and ranges.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/optim/settings.hpp"

namespace assay::reference {

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
