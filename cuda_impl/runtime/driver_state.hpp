// Why there is no device.
#pragma once

#include <string>

namespace assay::cuda {

/// GRD-028: the words of PyTorch.
std::string why_no_device();

}  // namespace assay::cuda
