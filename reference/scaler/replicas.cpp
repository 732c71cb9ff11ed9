// Creates the copies.
#include "reference/scaler/replicas.hpp"

#include "reference/core/tensor/copy.hpp"

namespace assay::reference {

Tensor Replicas::on(Runtime& runtime, Device device) {
  for (const auto& [known, copy] : copies_) {
    if (known == device) return copy;
  }
  const ToOptions options = {.device = device, .copy = true, .non_blocking = true};
  return copies_.emplace_back(device, to(runtime, master_, options)).second;
}

}  // namespace assay::reference
