// The public interface of the loss-scaling operators.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// AMP-001: the schemas of the in-place, functional and out variants.
const std::vector<std::string>& amp_schemas();

/// Writes the scale and the tracker, increments the version of the scale, and returns it (AMP-101).
/// On GPUs it does not wait (AMP-120).
const Tensor& amp_update_scale_(const Contract& contract, const UpdateScaleTensors& tensors,
                                const UpdateFactors& factors);

struct UpdatedScale {
  Tensor scale;
  Tensor growth_tracker;
};
/// AMP-002: returns new tensors and leaves the arguments unchanged.
UpdatedScale amp_update_scale(const Contract& contract, const UpdateScaleTensors& tensors,
                              const UpdateFactors& factors);
/// Writes the new scale to `out`; updates the tracker in place if the contract is strict.
void amp_update_scale_out(const Contract& contract, const UpdateScaleTensors& tensors,
                          const UpdateFactors& factors, const Tensor& out);

/// `_amp_foreach_non_finite_check_and_unscale_`. On GPUs it does not wait (AMP-502).
void amp_unscale_(const Contract& contract, const UnscaleTensors& tensors);

struct Unscaled {
  std::vector<Tensor> grads;
  Tensor found_inf;
};
/// AMP-002: returns new tensors and leaves the arguments unchanged.
Unscaled amp_unscale(const Contract& contract, const UnscaleTensors& tensors);
/// Writes the gradients to `out`; raises the flag in place if the contract is strict.
void amp_unscale_out(const Contract& contract, const UnscaleTensors& tensors,
                     std::span<const Tensor> out);

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< its flag is also the update's input
  const Tensor& scale;
  const Tensor& growth_tracker;
};
/// AMP-601: same results and errors as amp_unscale_ followed by amp_update_scale_. On a GPU it
/// saves the second launch if some non-empty gradient is dense and has the first one's dtype.
void amp_unscale_and_update_(const Contract& contract, const UnscaleAndUpdateTensors& tensors,
                             const UpdateFactors& factors);

// The kernels of one device, called directly, without the dispatcher.

const Tensor& update_scale_kernel(const Contract& contract, DeviceKind kernel,
                                  const UpdateScaleTensors& tensors, const UpdateFactors& factors);
void unscale_kernel(const Contract& contract, DeviceKind kernel, const UnscaleTensors& tensors);

}  // namespace assay::cuda
