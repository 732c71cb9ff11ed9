// What the fused optimizers share: lists by device and dtype, the skip, and the division by the
// scale.
#pragma once

#include <optional>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/optim/elements.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// Parameters with gradients that one launch updates.
struct FusedList {
  Device device;
  ScalarType dtype = ScalarType::kFloat;
  std::vector<Tensor> params;
};

/// In the order first seen. Raises `error` for parameters that no fused kernel takes.
std::vector<FusedList> fused_lists(const Runtime& runtime, const std::vector<Tensor>& params);

/// Raises `error` where a parameter of a fused optimizer has no fused kernel; nothing to ask of
/// another optimizer.
void check_all_fusable(const Runtime& runtime, const Optimizer& optimizer);

/// Raises `assertion` where a scaler lent something to a step that is not fused (OPT-006).
void refuse_lent(const Runtime& runtime, const Optimizer& optimizer);

/// The scale and the flag that a fused kernel reads; undefined where there is none.
struct FusedScaling {
  Tensor grad_scale;
  Tensor found_inf;
};

/// From the attributes that a scaler lent, or, before 2.0, from the scaler itself (SCL-602,
/// SCL-608). Raises `attribute` for an attribute that is a number (OPT-006).
FusedScaling fused_scaling(Runtime& runtime, Optimizer& optimizer, PassedScaler* passed);

/// The same on `device`: one copy each where they live elsewhere.
FusedScaling scaling_on(Runtime& runtime, const FusedScaling& scaling, Device device);

/// The flag is exactly 1 (SCL-610); a sum of 2 does not skip (SCL-611).
bool is_skipped(const FusedScaling& scaling);

/// The gradient divided by the scale in the type of the operation, written back in the parameter's
/// type (SCL-612). What is returned has not been narrowed.
Elements unscaled_grad(const Tensor& grad, const FusedScaling& scaling);

}  // namespace assay::reference
