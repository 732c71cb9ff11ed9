// Adam and AdamW steps over rows of parameters, on a device or on the host.
#pragma once

#include <span>

#include "cuda_impl/kernels/optim/step_rows.hpp"

namespace assay::cuda {

struct AdamSettings {
  double lr = 0;
  double beta1 = 0;
  double beta2 = 0;
  double eps = 0;
  double weight_decay = 0;
  bool decoupled = false;
  bool amsgrad = false;
  bool maximize = false;
  bool writes_grad = false;  ///< stores the modified gradient
  StepArithmetic arithmetic = StepArithmetic::kStepwise;

  // Stepwise forms only; all rows are at the same step.
  double step_size = 0;             ///< learning rate / first bias correction
  double root = 1;                  ///< of the second bias correction
  bool multiplies_inverse = false;  ///< computes x / root as x * (1 / root)
  bool interpolates = true;         ///< the first moment is updated by interpolation
  bool fuses_products = true;       ///< x + a * (y * z) is rounded once
  bool scales_first = false;        ///< computes x + (a * y) * z instead

  // Fused forms only.
  bool keeps_doubles = false;        ///< settings are doubles, not of the computation type
  bool narrows_before_root = false;  ///< rounds the second correction before its root
};

/// param, grad, first and second moment, largest second moment (or null), and the float32 step
/// counter, stored with the rows (null for the stepwise forms).
using AdamRow = StepRow<6>;

/// Makes as few launches as the kernel parameter limit allows and does not wait. The fused form
/// increments the step counter and subtracts found_inf from it (SCL-613).
void step_adam(std::span<const AdamRow> rows, const AdamSettings& settings,
               const ScalerPointers& from_scaler, const StepPlace& place);

}  // namespace assay::cuda
