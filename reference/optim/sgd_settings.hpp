// The settings of stochastic gradient descent: names, defaults, limits.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/optim/settings.hpp"

namespace assay::reference {

/// The settings of a group, read for one step.
struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  OptimizerMode mode = OptimizerMode::kPlain;
};

/// Completed by PyTorch's defaults (OPT-003). Raises `value` for what is out of range (OPT-002),
/// `type` for a fused one before 2.3.
Settings checked_sgd(const Runtime& runtime, Settings settings);
Settings settings_of(const SgdOptions& options);
SgdOptions sgd_options(const Settings& settings, OptimizerMode mode);

}  // namespace assay::reference
