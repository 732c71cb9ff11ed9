// Per-device copies of one small tensor, created on first use.
#pragma once

#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Valid for one call (SCL-114). A copy holds the value that the master had when it was made.
class Replicas {
 public:
  explicit Replicas(Tensor master) : master_(std::move(master)) {}

  /// Returns the copy on that device (possibly the master itself). The host does not wait.
  const Tensor& on(Device device);

 private:
  Tensor master_;
  std::vector<Tensor> copies_;
};

/// Returns the tensor itself if it is on `device`, otherwise a copy.
Tensor moved_to(const Tensor& tensor, Device device);

}  // namespace assay::cuda
