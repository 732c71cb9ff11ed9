// What unscaling begins with: the inverse of a scale, and a flag that is down.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// All on the current device. One thread writes both.
struct InverseScale {
  const float* scale = nullptr;
  float* inverse = nullptr;
  float* flag = nullptr;
};
void launch_inverse_scale(const InverseScale& work);

}  // namespace assay::cuda
