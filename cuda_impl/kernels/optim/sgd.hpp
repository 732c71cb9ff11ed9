// SGD steps over rows of parameters, on a device or on the host.
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
  bool is_first = false;     ///< no row has a momentum, unless its word says otherwise
  bool writes_grad = false;  ///< stores the modified gradient
  StepArithmetic arithmetic = StepArithmetic::kStepwise;
};

/// param, grad, momentum (or null), and a word that is not 0 once the momentum exists (or null).
using SgdRow = StepRow<4>;

/// Makes as few launches as the kernel parameter limit allows; does not wait.
void step_sgd(std::span<const SgdRow> rows, const SgdSettings& settings,
              const ScalerPointers& from_scaler, const StepPlace& place);

}  // namespace assay::cuda
