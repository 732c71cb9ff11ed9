// Copies of one small tensor on the devices that need it, each made when it is first needed.
#pragma once

#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Lives as long as one call (SCL-114). A copy has the value that the master had when it was made.
class Replicas {
 public:
  explicit Replicas(Tensor master) : master_(std::move(master)) {}

  /// The copy on that device, which may be the master's own. The host does not wait.
  const Tensor& on(Device device);

 private:
  Tensor master_;
  std::vector<Tensor> copies_;
};

/// The tensor itself where it lies there, otherwise a copy.
Tensor moved_to(const Tensor& tensor, Device device);

}  // namespace assay::cuda
