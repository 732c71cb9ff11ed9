// The scale update, for each device.
#pragma once

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Requires checked arguments on a CUDA device. Converts them to the kernel's arguments.
ScaleUpdate scale_update(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                         const Contract& contract);
/// Require checked arguments. Do not increment the version.
void update_scale_on_cuda(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                          const Contract& contract);
void update_scale_on_cpu(const UpdateScaleTensors& tensors, const UpdateFactors& factors);

}  // namespace assay::cuda
