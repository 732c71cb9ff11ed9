// Reads a scaler's number on the host.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Waits if the number is on a device. Always counted as a host read, even for a CPU tensor, where
/// the CPU is the device.
double read_by_scaler(const Tensor& number);

}  // namespace assay::cuda
