// The device operations of a scaler: fill, multiply by the scale, and inverse; copies of a scalar
// for each device, created on demand.
#pragma once

#include <utility>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

/// Sets every element. Raises `error` if the value is out of the dtype's range: a finite double
/// above FLT_MAX or an int outside int32 (SCL-102, SCL-509).
void fill_scalar(Runtime& runtime, const Tensor& tensor, const Scalar& value);

/// Computes tensor * scale with type promotion, and with autograd history if the tensor has one
/// (SCL-104, SCL-105, SCL-106, SCL-108). Both are on one device; `scale` has one element.
Tensor multiply(Runtime& runtime, const Tensor& tensor, const Tensor& scale);

/// Computes 1 / scale in float64 and rounds to float32 (SCL-202).
Tensor inverse_of(Runtime& runtime, const Tensor& scale);

/// Reads a one-element tensor; the host waits for it.
double read_back(Runtime& runtime, const Tensor& tensor);

void count_launch(Runtime& runtime, const Tensor& on);

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
