// The update rule of the loss scale, as plain arithmetic.
#pragma once

#include <cstdint>

namespace assay::reference {

struct ScaleState {
  float scale = 0;
  std::int32_t tracker = 0;
};

/// The factors that the caller of `_amp_update_scale_` passes; not validated (AMP-114).
struct ScaleFactors {
  double growth = 2.0;
  double backoff = 0.5;
  std::int64_t interval = 2000;
};

/// Differences between devices and releases.
struct UpdateRules {
  bool interval_is_int32 = false;  ///< CUDA: the interval modulo 2^32, signed (AMP-111)
  bool growth_is_guarded = true;   ///< since 2.1; earlier, growth can store inf (AMP-106)
};

/// Takes one of three branches: back off (AMP-103), count (AMP-104), or grow (AMP-105).
ScaleState next_scale_state(ScaleState now, float found_inf, const ScaleFactors& factors,
                            const UpdateRules& rules);

}  // namespace assay::reference
