// The public interface of the loss-scaling operators.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// AMP-001: the schemas of the in-place, functional and out variants.
const std::vector<std::string>& amp_schemas();

/// Writes the scale and the tracker and increments the version of the scale. On GPUs it does not
/// wait (AMP-120).
void amp_update_scale_(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                       const Contract& contract);

struct UpdatedScale {
  Tensor scale;
  Tensor growth_tracker;
};
/// AMP-002: returns new tensors and leaves the arguments unchanged.
UpdatedScale amp_update_scale(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                              const Contract& contract);
/// Writes the new scale to `out`; updates the tracker in place if the contract is strict.
void amp_update_scale_out(const UpdateScaleTensors& tensors, const UpdateFactors& factors,
                          const Tensor& out, const Contract& contract);

/// `_amp_foreach_non_finite_check_and_unscale_`. On GPUs it does not wait (AMP-502).
void amp_unscale_(const UnscaleTensors& tensors, const Contract& contract);

struct Unscaled {
  std::vector<Tensor> grads;
  Tensor found_inf;
};
/// AMP-002: returns new tensors and leaves the arguments unchanged.
Unscaled amp_unscale(const UnscaleTensors& tensors, const Contract& contract);
/// Writes the gradients to `out`; raises the flag in place if the contract is strict.
void amp_unscale_out(const UnscaleTensors& tensors, std::span<const Tensor> out,
                     const Contract& contract);

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< its flag is also the update's input
  const Tensor& scale;
  const Tensor& growth_tracker;
};
/// AMP-601: same results and errors as amp_unscale_ followed by amp_update_scale_. On a GPU it
/// saves the second launch if some non-empty gradient is dense and has the first one's dtype.
void amp_unscale_and_update_(const UnscaleAndUpdateTensors& tensors, const UpdateFactors& factors,
                             const Contract& contract);

// The kernels of one device, called directly, without the dispatcher.

void update_scale_kernel(DeviceKind kernel, const UpdateScaleTensors& tensors,
                         const UpdateFactors& factors, const Contract& contract);
void unscale_kernel(DeviceKind kernel, const UnscaleTensors& tensors, const Contract& contract);

}  // namespace assay::cuda
