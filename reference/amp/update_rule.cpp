// The update rule of the loss scale: back off, count, or grow.
#include "reference/amp/update_rule.hpp"

#include <cmath>

namespace assay::reference {

namespace {

/// Computed in double and rounded once (AMP-103, AMP-105).
float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

/// Every value but zero is an overflow, including NaN and negative values (AMP-102).
bool is_overflow(float found_inf) { return found_inf != 0.0F; }

/// Wraps around at the end of int32 (AMP-110).
std::int32_t count_one_more(std::int32_t tracker) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(tracker) + 1U);
}

/// Tests equality, not "at least" (AMP-108); the interval's width depends on the device (AMP-111).
bool reaches(std::int32_t count, std::int64_t interval, const UpdateRules& rules) {
  const std::int64_t wanted =
      rules.interval_is_int32 ? static_cast<std::int32_t>(interval) : interval;
  return count == wanted;
}

ScaleState backed_off(ScaleState now, const ScaleFactors& factors) {
  return {scaled_by(now.scale, factors.backoff), 0};
}

/// Resets the tracker even if the growth is refused (AMP-107).
ScaleState grown(ScaleState now, const ScaleFactors& factors, const UpdateRules& rules) {
  const float candidate = scaled_by(now.scale, factors.growth);
  const bool is_finite = std::isfinite(candidate);
  if (!rules.growth_is_guarded || is_finite) return {candidate, 0};
  return {now.scale, 0};
}

}  // namespace

ScaleState next_scale_state(ScaleState now, float found_inf, const ScaleFactors& factors,
                            const UpdateRules& rules) {
  if (is_overflow(found_inf)) return backed_off(now, factors);
  const std::int32_t count = count_one_more(now.tracker);
  if (reaches(count, factors.interval, rules)) return grown(now, factors, rules);
  return {now.scale, count};
}

}  // namespace assay::reference
