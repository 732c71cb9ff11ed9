// A step of SGD over rows of parameters, on a device or on the host.
#pragma once

#include <span>

#include "cuda_impl/kernels/optim/step_rows.hpp"

namespace assay::cuda {

struct SgdSettings {
  double lr = 0;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
  bool is_first = false;     ///< no row has a momentum yet, as far as the rows do not say
  bool writes_grad = false;  ///< the gradient becomes what the step has made of it
  StepArithmetic arithmetic = StepArithmetic::kStepwise;
};

/// param, grad, momentum or null, and a word that is not 0 once there is a momentum, or null.
using SgdRow = StepRow<4>;

/// As few launches as the parameters of a kernel allow; does not wait.
void step_sgd(std::span<const SgdRow> rows, const SgdSettings& settings, const LentToKernel& lent,
              const StepPlace& place);

}  // namespace assay::cuda
