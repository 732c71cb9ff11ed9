// Gradient clipping by a norm that stays on the device.
#pragma once

#include <span>

#include "cuda_impl/kernels/optim/step_rows.hpp"

namespace assay::cuda {

/// Writes the clip coefficient min(1, `max_norm` / (norm + 1e-6)) to `factor`. It is computed in
/// the type of the norm. `norm` is on the device or the host, as `place` says.
void write_clip_factor(const void* norm, double max_norm, double* factor, const StepPlace& place);

/// Multiplies all elements by the factor, after rounding the factor to their type.
void scale_rows(std::span<const StepRow<1>> rows, const double* factor, const StepPlace& place);

}  // namespace assay::cuda
