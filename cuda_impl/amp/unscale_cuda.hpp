// Unscale on a GPU: groups gradients into multi-tensor launches and single launches.
#pragma once

#include <optional>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Requires checked arguments and gradients on one CUDA device (or none). Does not wait for the
/// device or allocate on it (AMP-502). `update` is part of the last launch, or a separate one.
void unscale_on_cuda(const UnscaleTensors& tensors, const Contract& contract,
                     const std::optional<ScaleUpdate>& update = std::nullopt);

}  // namespace assay::cuda
