// The scale and the flag that fused steps take from a scaler, on the parameters' devices.
#pragma once

#include <utility>
#include <vector>

#include "cuda_impl/kernels/optim/steps.hpp"
#include "cuda_impl/optim/optimizer.hpp"

namespace assay::cuda {

/// Raises `error` for a parameter without a fused kernel.
void check_fusable(const Tensor& param, Release release);

/// Checks all parameters of an optimizer that was constructed as fused.
void check_all_fusable(const Optimizer& optimizer, Release release);

/// Undefined if nothing was lent.
struct ScalerTensors {
  Tensor grad_scale;
  Tensor found_inf;
};

/// Reads the attributes (SCL-602). Raises `attribute` for numbers, since kernels read only tensors.
ScalerTensors scaler_attributes(const Optimizer& optimizer);

/// Before 2.0 the step queried the scaler (SCL-608). Raises `assertion` if it has no flags.
ScalerTensors tensors_of_scaler(ScalerInStep& scaler, Optimizer& optimizer);

/// Raises `assertion` if attributes were lent to a step that is not fused.
void reject_scaler_attributes(const Optimizer& optimizer);

/// Provides the lent tensors on one device after another. Copies them once to each device that
/// lacks them, whatever the number of launches.
class ScalerTensorCopies {
 public:
  explicit ScalerTensorCopies(ScalerTensors from_scaler);
  /// Pointers for launches on this device, valid as long as the lender.
  ScalerPointers on(Device device);
  bool has_flag() const { return tensors_.found_inf.defined(); }

 private:
  ScalerTensors tensors_;
  std::vector<std::pair<Device, ScalerTensors>> copies_;  ///< the copies on each device
};

}  // namespace assay::cuda
