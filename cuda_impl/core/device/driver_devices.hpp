// The devices that the CUDA driver reports, queried without the CUDA runtime.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/core/device/compiled_code.hpp"

namespace assay::cuda {

struct DriverDevice {
  int index = 0;
  std::string name;
  Capability capability;
};

/// Returns the devices visible through CUDA_VISIBLE_DEVICES; none without a working driver.
std::vector<DriverDevice> devices_of_driver();

}  // namespace assay::cuda
