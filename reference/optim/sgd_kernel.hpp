// The step of stochastic gradient descent for one parameter.
#pragma once

#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"
#include "reference/optim/sgd_settings.hpp"

namespace assay::reference {

/// The submitted work of a parameter's step.
struct SgdKernel {
  SgdOptions options;
  Tensor param;
  Tensor grad_tensor;
  Tensor buffer;             ///< undefined without momentum
  bool is_first = false;     ///< the buffer has no content yet
  bool writes_grad = false;  ///< OPT-004
  FusedScaling scaling = {};

  void plain() const;
  /// Computes in float32 (float64 for float64) without intermediate rounding. Counts no versions
  /// (OPT-005).
  void fused() const;

 private:
  Elements widened(Elements elements) const;
  Elements next_momentum(const Elements& grad) const;
};

}  // namespace assay::reference
