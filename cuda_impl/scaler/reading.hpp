// A number that the host reads for a scaler.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Waits where the number lies on a device. It is counted as a read of the host wherever it lies:
/// with scalars on the host the host is the device.
double read_by_scaler(const Tensor& number);

}  // namespace assay::cuda
