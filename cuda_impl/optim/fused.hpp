// What fused steps take from a scaler: the scale and the flag, where the parameters are.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cuda_impl/kernels/optim/step_rows.hpp"
#include "cuda_impl/optim/optimizer.hpp"

namespace assay::cuda {

/// Raises `error` for a parameter that no fused kernel takes.
void check_fusable(const Tensor& param, Release release);

/// The same for all parameters, of an optimizer that was made to be fused.
void check_all_fusable(const Optimizer& optimizer, Release release);

/// Undefined where there is none.
struct LentTensors {
  Tensor grad_scale;
  Tensor found_inf;
};

/// The attributes (SCL-602). Raises `attribute` for numbers: only tensors can be read on a device.
LentTensors lent_attributes(const Optimizer& optimizer);

/// Before 2.0 a step asked the scaler itself (SCL-608). Raises `assertion` where it has no flags.
LentTensors lent_by_scaler(ScalerInStep& scaler, Optimizer& optimizer);

/// Raises `assertion` for attributes that a step which is not fused was lent.
void refuse_lent(const Optimizer& optimizer);

/// Lends to one device after the other: where the tensors are not, they are copied once, however
/// many launches there are.
class Lender {
 public:
  explicit Lender(LentTensors lent);
  /// Addresses that are good for a launch on this device, as long as the lender lives.
  LentToKernel on(Device device);
  bool has_flag() const { return lent_.found_inf.defined(); }

 private:
  LentTensors lent_;
  std::vector<std::pair<Device, LentTensors>> lent_to_;  ///< as they are on each device
};

}  // namespace assay::cuda
