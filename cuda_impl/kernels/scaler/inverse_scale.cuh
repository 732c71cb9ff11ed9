// Computes the inverse of the scale and clears the found_inf flag, before an unscale.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// All pointers are on the current device. One thread writes `inverse` and `flag`.
struct InverseScale {
  const float* scale = nullptr;
  float* inverse = nullptr;
  float* flag = nullptr;
};
void launch_inverse_scale(const InverseScale& work);

}  // namespace assay::cuda
