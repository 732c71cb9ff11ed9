// Scalers as arguments and results.
#pragma once

#include <memory>

#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The argument `scaler`.
std::shared_ptr<GradScaler> scaler_argument(Call& call);
/// Sets the field `result`.
void give_scaler(Call& call, std::shared_ptr<GradScaler> scaler);

}  // namespace assay::cuda
