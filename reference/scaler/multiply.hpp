// The few device operations that a scaler needs: fill, multiply by the scale, the inverse.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"

namespace assay::reference {

/// Every element becomes `value`. Raises `error` when it is out of the dtype's range: a finite
/// double above FLT_MAX, or an int outside int32 (SCL-102, SCL-509).
void fill_scalar(Runtime& runtime, const Tensor& tensor, const Scalar& value);

/// tensor * scale, by type promotion, with history where the tensor has one (SCL-104, SCL-105,
/// SCL-106, SCL-108). Both live on one device; `scale` has one element.
Tensor multiply(Runtime& runtime, const Tensor& tensor, const Tensor& scale);

/// 1 / scale through float64, rounded to float32 (SCL-202).
Tensor inverse_of(Runtime& runtime, const Tensor& scale);

/// The element of a one-element tensor; the host waits for it.
double read_back(Runtime& runtime, const Tensor& tensor);

void count_launch(Runtime& runtime, const Tensor& on);

}  // namespace assay::reference
