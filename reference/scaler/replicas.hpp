// Copies of a scalar for each device, created on demand.
#pragma once

#include <utility>

#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// Never returns the master itself, even on the master's own device (SCL-114, SCL-208).
class Replicas {
 public:
  explicit Replicas(Tensor master) : master_(std::move(master)) {}

  Tensor on(Runtime& runtime, Device device);
  /// In the order in which they were requested first.
  const FoundInfMap& copies() const { return copies_; }

 private:
  Tensor master_;
  FoundInfMap copies_;
};

}  // namespace assay::reference
