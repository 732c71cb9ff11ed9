// Copies of a scalar, one a device, made when first asked for.
#pragma once

#include <utility>

#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// The master is never handed out, not even on its own device (SCL-114, SCL-208).
class Replicas {
 public:
  explicit Replicas(Tensor master) : master_(std::move(master)) {}

  Tensor on(Runtime& runtime, Device device);
  /// In the order first asked for.
  const FoundInfMap& copies() const { return copies_; }

 private:
  Tensor master_;
  FoundInfMap copies_;
};

}  // namespace assay::reference
