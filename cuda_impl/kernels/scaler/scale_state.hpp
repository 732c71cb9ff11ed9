// What the update of the scale reads and writes, as kernels are told.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// Addresses of a device. `found_inf` may be `scale` (AMP-119).
struct ScaleState {
  float* scale;
  std::int32_t* growth_tracker;
  const float* found_inf;
};

struct ScaleFactors {
  double growth;
  double backoff;
  std::int32_t interval;   ///< AMP-111: what is left of an int64
  bool grows_to_infinity;  ///< AMP-106: as 1.13 does
};

}  // namespace assay::cuda
