// The devices of this machine, as the driver names them: asked without CUDA's runtime.
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

/// Those that CUDA_VISIBLE_DEVICES shows; none where there is no driver, or it does not start.
std::vector<DriverDevice> devices_of_driver();

}  // namespace assay::cuda
