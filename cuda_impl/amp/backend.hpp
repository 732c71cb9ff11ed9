// Selects the kernel for a set of tensors, with the checks that precede the choice.
#pragma once

#include <cstdint>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// In ascending precedence: the highest backend among the tensors wins.
enum class Backend : std::uint8_t { kDenseCpu, kDenseCuda, kDenseMeta, kSparseCpu, kSparseCuda };

/// Returns the backend that handles `_amp_update_scale_` or the unscale for these tensors. Raises
/// `not_implemented` for a backend without a kernel (AMP-004, AMP-006), and `error` if a CUDA
/// kernel's tensors are on different devices (AMP-005).
Backend backend_for(const UpdateScaleTensors& tensors, const Contract& contract);
Backend backend_for(const UnscaleTensors& tensors, const Contract& contract);

}  // namespace assay::cuda
