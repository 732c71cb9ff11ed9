// Unscale on a GPU: what goes together in one launch, and what goes alone.
#pragma once

#include <optional>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Checked arguments, and gradients of one device of CUDA, or none. Neither waits for the device
/// nor allocates on it (AMP-502). The `update` is part of the last launch, or one of its own.
void unscale_on_cuda(const UnscaleTensors& tensors, const Contract& contract,
                     const std::optional<ScaleUpdate>& update = std::nullopt);

}  // namespace assay::cuda
