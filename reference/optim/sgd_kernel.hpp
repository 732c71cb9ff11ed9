// What a step of stochastic gradient descent does to one parameter.
#pragma once

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/sgd_settings.hpp"

namespace assay::reference {

/// One parameter's step as the device does it.
struct SgdKernel {
  SgdOptions options;
  Tensor param;
  Tensor grad_tensor;
  Tensor buffer;             ///< undefined without momentum
  bool is_first = false;     ///< the buffer holds nothing yet
  bool writes_grad = false;  ///< OPT-004
  FusedScaling scaling = {};

  void plain() const;
  /// Computed without narrowing in between: float32, or float64 for float64. Counts no versions
  /// (OPT-005).
  void fused() const;

 private:
  Elements widened(Elements elements) const;
  Elements next_momentum(const Elements& grad) const;
};

}  // namespace assay::reference
