// Common parts of the fused optimizers: grouping by device and dtype, skipping, and division by the
// scale.
#pragma once

#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/optim/elements.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// Parameters with gradients that are updated by one launch.
struct FusedList {
  Device device;
  ScalarType dtype = ScalarType::kFloat;
  std::vector<Tensor> params;
};

/// In order of first occurrence. Raises `error` for parameters without a fused kernel.
std::vector<FusedList> fused_lists(const Runtime& runtime, const std::vector<Tensor>& params);

/// Raises `error` if the optimizer is fused
/// and a parameter has no fused kernel.
void check_all_fusable(const Runtime& runtime, const Optimizer& optimizer);

/// Raises `assertion` if a scaler lent attributes to a step that is not fused (OPT-006).
void reject_scaler_attributes(const Runtime& runtime, const Optimizer& optimizer);

/// The scale and flag that a fused kernel reads; undefined if absent.
struct FusedScaling {
  Tensor grad_scale;
  Tensor found_inf;
};

/// Reads the lent attributes or, before 2.0, the passed scaler (SCL-602, SCL-608). Raises
/// `attribute` for an attribute that is a number (OPT-006).
FusedScaling fused_scaling(Runtime& runtime, Optimizer& optimizer, PassedScaler* passed);

/// Copies the scale and the flag to `device` if they are elsewhere.
FusedScaling scaling_on(Runtime& runtime, const FusedScaling& scaling, Device device);

/// Tests for exactly 1 (SCL-610); a sum of 2 does not skip (SCL-611).
bool is_skipped(const FusedScaling& scaling);

/// Divides the gradient by the scale in the computation type and stores it in the parameter's dtype
/// (SCL-612). Returns the unrounded values.
Elements unscaled_grad(const Tensor& grad, const FusedScaling& scaling);

}  // namespace assay::reference
