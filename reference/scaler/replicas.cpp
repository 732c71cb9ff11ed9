// Copies of a scalar, one a device.
#include "reference/scaler/replicas.hpp"

#include "reference/core/copy.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {

Tensor Replicas::on(Runtime& runtime, Device device) {
  for (const auto& [known, copy] : copies_) {
    if (known == device && !fault("replicas_are_never_shared")) return copy;
  }
  if (fault("replicas_share_the_first") && !copies_.empty()) {
    return to(runtime, copies_.front().second, {.device = device, .non_blocking = true});
  }
  const ToOptions options = {
      .device = device, .copy = !fault("replicas_hand_out_the_master"), .non_blocking = true};
  return copies_.emplace_back(device, to(runtime, master_, options)).second;
}

}  // namespace assay::reference
