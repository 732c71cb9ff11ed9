// The amp operators (in-place, functional and out variants), called through the dispatcher, and
// their registration.
#pragma once

#include <string>
#include <vector>

#include "reference/amp/unscale.hpp"
#include "reference/amp/update_scale.hpp"
#include "reference/core/types/ivalue.hpp"

namespace assay::reference {

/// AMP-001: the schemas of both operators in all three variants.
const std::vector<std::string>& amp_schemas();

/// `_amp_update_scale_`. Returns `tensors.scale`.
Tensor amp_update_scale_(Runtime& runtime, const UpdateScaleTensors& tensors,
                         const ScaleFactors& factors);

struct UpdateScaleResult {
  Tensor scale;
  Tensor growth_tracker;
};

/// Does not modify its inputs and returns new tensors (AMP-002).
UpdateScaleResult amp_update_scale(Runtime& runtime, const UpdateScaleTensors& tensors,
                                   const ScaleFactors& factors);

/// `_amp_update_scale.out`: writes the new scale to `out`; updates the tracker in place if strict.
Tensor amp_update_scale_out(Runtime& runtime, const UpdateScaleTensors& tensors,
                            const ScaleFactors& factors, const Tensor& out);

/// `_amp_foreach_non_finite_check_and_unscale_`.
void amp_unscale_(Runtime& runtime, const UnscaleTensors& tensors);

struct UnscaleResult {
  std::vector<Tensor> grads;
  Tensor found_inf;
};

/// Does not modify its inputs and returns new tensors (AMP-002).
UnscaleResult amp_unscale(Runtime& runtime, const UnscaleTensors& tensors);

/// Writes the gradients to `out`; sets the flag in place if strict.
void amp_unscale_out(Runtime& runtime, const UnscaleTensors& tensors,
                     const std::vector<Tensor>& out);

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< the update reads its flag
  Tensor scale;
  Tensor growth_tracker;
};

/// AMP-601.
void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors);

class Dispatcher;

/// AMP-001 to AMP-006: schemas, the kernels of the release, and the functional and out variants,
/// which call the in-place ones for every backend.
void add_amp_operators(Dispatcher& dispatcher);

IValue list_of(const std::vector<Tensor>& tensors);

}  // namespace assay::reference
