// Copies small tensors between devices.
#include "cuda_impl/scaler/replicas.hpp"

#include <algorithm>

#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

/// A copy to the host is synchronous, because the host reads it at once.
Tensor sent(const Tensor& tensor, Device device, bool always_copies) {
  ToOptions options;
  options.device = device;
  options.copy = always_copies;
  options.non_blocking = !device.is_cpu();
  return to(tensor, options);
}

}  // namespace

const Tensor& Replicas::on(Device device) {
  const auto found = std::find_if(copies_.begin(), copies_.end(),
                                  [&](const Tensor& copy) { return copy.device() == device; });
  if (found != copies_.end()) return *found;
  return copies_.emplace_back(sent(master_, device, true));
}

Tensor moved_to(const Tensor& tensor, Device device) { return sent(tensor, device, false); }

}  // namespace assay::cuda
