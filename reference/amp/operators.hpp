// The amp operators as callers see them: in place, functional and out, through the dispatcher.
#pragma once

#include <string>
#include <vector>

#include "reference/amp/unscale.hpp"
#include "reference/amp/update_scale.hpp"

namespace assay::reference {

/// AMP-001: both operators, each in place, functional and out.
const std::vector<std::string>& amp_schemas();

/// `_amp_update_scale_`. Returns `tensors.scale` itself.
Tensor amp_update_scale_(Runtime& runtime, const UpdateScaleTensors& tensors,
                         const ScaleFactors& factors);

struct UpdateScaleResult {
  Tensor scale;
  Tensor growth_tracker;
};

/// Leaves every input as it is; the results are fresh (AMP-002).
UpdateScaleResult amp_update_scale(Runtime& runtime, const UpdateScaleTensors& tensors,
                                   const ScaleFactors& factors);

/// `_amp_update_scale.out`: the new scale is written to `out`; the tracker in place, if strict.
Tensor amp_update_scale_out(Runtime& runtime, const UpdateScaleTensors& tensors,
                            const ScaleFactors& factors, const Tensor& out);

/// `_amp_foreach_non_finite_check_and_unscale_`.
void amp_unscale_(Runtime& runtime, const UnscaleTensors& tensors);

struct UnscaleResult {
  std::vector<Tensor> grads;
  Tensor found_inf;
};

/// Leaves every input as it is; the results are fresh (AMP-002).
UnscaleResult amp_unscale(Runtime& runtime, const UnscaleTensors& tensors);

/// The gradients' results are written to `out`; the flag in place, if strict.
void amp_unscale_out(Runtime& runtime, const UnscaleTensors& tensors,
                     const std::vector<Tensor>& out);

}  // namespace assay::reference
