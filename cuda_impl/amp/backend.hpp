// Which kernel answers for a set of tensors, and what is checked before it is called.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// In the order of precedence: any tensor of a later one decides.
enum class Backend : std::uint8_t { kDenseCpu, kDenseCuda, kDenseMeta, kSparseCpu, kSparseCuda };

/// The kernel of `_amp_update_scale_` or of the unscale that its tensors ask for. Raises
/// `not_implemented` for a backend that has none (AMP-004, AMP-006), and `error` where a CUDA
/// kernel's tensors are not all on one device (AMP-005).
Backend backend_for(const UpdateScaleTensors& tensors, const Contract& contract);
Backend backend_for(const UnscaleTensors& tensors, const Contract& contract);

}  // namespace assay::cuda
