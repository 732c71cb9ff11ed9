// Clipping by a norm that the host has not seen.
#pragma once

#include <span>

#include "cuda_impl/kernels/optim/step_rows.hpp"

namespace assay::cuda {

/// Writes what gradients of that norm are to be multiplied by: `max_norm / (norm + 1e-6)`, at most
/// 1, in the arithmetic of the norm's type, which is where `place` says.
void write_clip_factor(const void* norm, double max_norm, double* factor, const StepPlace& place);

/// Multiplies all elements by the factor, rounded to their own type before.
void scale_rows(std::span<const StepRow<1>> rows, const double* factor, const StepPlace& place);

}  // namespace assay::cuda
