// A step of Adam or AdamW over rows of parameters, on a device or on the host.
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
  bool writes_grad = false;  ///< the gradient becomes what the step has made of it
  StepArithmetic arithmetic = StepArithmetic::kStepwise;

  // Of the stepwise forms, all rows of which are at the same step.
  double step_size = 0;             ///< the rate over the first correction
  double root = 1;                  ///< of the second correction
  bool multiplies_inverse = false;  ///< x / root is x times its inverse
  bool interpolates = true;         ///< the first moment moves by interpolation
  bool fuses_products = true;       ///< x + a * (y * z) rounds once
  bool scales_first = false;        ///< it is x + (a * y) * z instead

  // Of the fused forms.
  bool keeps_doubles = false;        ///< settings are doubles, not of the computation's type
  bool narrows_before_root = false;  ///< of the second correction
};

/// param, grad, both moments, the largest second moment or null, and the counter of steps, a
/// float32 that lives with the rows, or null for the stepwise forms.
using AdamRow = StepRow<6>;

/// As few launches as the parameters of a kernel allow; does not wait. The fused form counts a step
/// and takes back as much as the flag says (SCL-613).
void step_adam(std::span<const AdamRow> rows, const AdamSettings& settings,
               const LentToKernel& lent, const StepPlace& place);

}  // namespace assay::cuda
