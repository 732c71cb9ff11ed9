// The reason for which no CUDA device is available.
#pragma once

#include <string>

namespace assay::cuda {

/// GRD-028: PyTorch's message.
std::string why_no_device();

}  // namespace assay::cuda
