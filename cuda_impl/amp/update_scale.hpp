// The update of the scale, by the kernel of a device.
#pragma once

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Checked arguments, of a device of CUDA; as a kernel has it.
ScaleUpdate scale_update(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                         const Contract& contract);
/// Checked arguments. Neither counts a version.
void update_scale_on_cuda(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                          const Contract& contract);
void update_scale_on_cpu(const UpdateScaleTensors& tensors, const UpdateFactors& factors);

}  // namespace assay::cuda
