// The operators of loss scaling as callers see them.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// AMP-001: each operator in place, functional and out.
const std::vector<std::string>& amp_schemas();

/// Writes scale and tracker, and counts one version of the scale. Waits for nothing, on GPUs
/// (AMP-120).
void amp_update_scale_(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                       const Contract& contract);

struct UpdatedScale {
  Tensor scale;
  Tensor growth_tracker;
};
/// AMP-002: new tensors; the given ones stay as they are.
UpdatedScale amp_update_scale(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                              const Contract& contract);
/// Writes the new scale to `out`, and the tracker where it is if the contract is strict.
void amp_update_scale_out(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                          const Tensor& out, const Contract& contract);

/// `_amp_foreach_non_finite_check_and_unscale_`. Waits for nothing, on GPUs (AMP-502).
void amp_unscale_(const UnscaleTensors& tensors, const Contract& contract);

struct Unscaled {
  std::vector<Tensor> grads;
  Tensor found_inf;
};
/// AMP-002: new tensors; the given ones stay as they are.
Unscaled amp_unscale(const UnscaleTensors& tensors, const Contract& contract);
/// Writes the gradients to `out`, and the flag where it is if the contract is strict.
void amp_unscale_out(const UnscaleTensors& tensors, std::span<const Tensor> out,
                     const Contract& contract);

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< whose flag the update reads
  const Tensor& scale;
  const Tensor& growth_tracker;
};
/// AMP-601: amp_unscale_ and then amp_update_scale_, to the bit and to the error; on a GPU without
/// the launch of the second where a gradient with elements is of the first one's type and dense.
void amp_unscale_and_update_(const UnscaleAndUpdateTensors& tensors, const UpdateFactors& factors,
                             const Contract& contract);

// The kernels of a device themselves, past all that a dispatcher does.

void update_scale_kernel(DeviceKind kernel, const UpdateScaleTensors& tensors,
                         const UpdateFactors& factors, const Contract& contract);
void unscale_kernel(DeviceKind kernel, const UnscaleTensors& tensors, const Contract& contract);

}  // namespace assay::cuda
