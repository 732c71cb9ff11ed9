// The step of Adam or AdamW for one parameter.
#pragma once

#include "reference/optim/adam_settings.hpp"
#include "reference/optim/elements.hpp"
#include "reference/optim/fused.hpp"

namespace assay::reference {

/// The submitted work of a parameter's step.
struct AdamKernel {
  AdamOptions options;
  Release release;
  Tensor param;
  Tensor grad;
  Tensor step;
  Tensor exp_avg;
  Tensor exp_avg_sq;
  Tensor max_exp_avg_sq;  ///< undefined unless amsgrad
  FusedScaling scaling = {};
  bool writes_grad = false;     ///< OPT-004
  bool counts_versions = true;  ///< OPT-005

  void update(const Elements& raw_grad, ScalarType compute, double step_number) const;
  void count_step(double by) const;

  /// Increments the counters before the kernel and subtracts the flag after it, so that a skipped
  /// step leaves them unchanged (SCL-613).
  void fused() const;

 private:
  struct Numbers;

  int versions(int counted) const { return counts_versions ? counted : 0; }
  Elements averaged(const Elements& average, const Elements& by) const;
  Elements denominator(Numbers& numbers, double correction) const;
};

/// Creates the kernel for a parameter and its state, whose tensors it borrows.
AdamKernel adam_kernel(const AdamOptions& options, Release release, const Tensor& param,
                       const ParamState& held);

}  // namespace assay::reference
