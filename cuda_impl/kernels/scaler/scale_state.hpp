// Kernel arguments of the scale update.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// Device pointers. `found_inf` may alias `scale` (AMP-119).
struct ScaleState {
  float* scale;
  std::int32_t* growth_tracker;
  const float* found_inf;
};

struct ScaleFactors {
  double growth;
  double backoff;
  std::int32_t interval;   ///< AMP-111: the int64 truncated to 32 bits
  bool grows_to_infinity;  ///< AMP-106: as in 1.13
};

}  // namespace assay::cuda
