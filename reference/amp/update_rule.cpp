// The rule by which the loss scale moves: back off, count, or grow.
#include "reference/amp/update_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

/// In double, rounded once at the end (AMP-103, AMP-105).
float scaled_by(float scale, double factor) {
  if (fault("update_scale_factor_is_float"))
    factor = static_cast<double>(static_cast<float>(factor));
  if (fault("update_scale_multiplies_in_float")) return scale * static_cast<float>(factor);
  const float product = static_cast<float>(static_cast<double>(scale) * factor);
  if (fault("update_scale_flushes_denormals") && std::fpclassify(product) == FP_SUBNORMAL) {
    return 0.0F;
  }
  if (fault("update_scale_truncates") &&
      std::abs(static_cast<double>(product)) > std::abs(static_cast<double>(scale) * factor)) {
    return std::nextafter(product, 0.0F);
  }
  return product;
}

/// Any value but zero is an overflow, NaN and negative ones included (AMP-102).
bool is_overflow(float found_inf) {
  if (fault("update_scale_flag_above_zero")) return found_inf > 0.0F;
  if (fault("update_scale_flag_equals_one")) return found_inf == 1.0F;
  if (fault("update_scale_nan_flag_is_clean") && std::isnan(found_inf)) return false;
  if (fault("update_scale_denormal_flag_is_clean") && std::fpclassify(found_inf) == FP_SUBNORMAL) {
    return false;
  }
  if (fault("update_scale_negative_zero_flag_is_bad") && std::signbit(found_inf)) return true;
  if (fault("update_scale_flag_read_as_integer")) return static_cast<std::int32_t>(found_inf) != 0;
  return found_inf != 0.0F;
}

/// Wraps at the end of int32 (AMP-110).
std::int32_t count_one_more(std::int32_t tracker) {
  if (fault("update_scale_tracker_saturates") &&
      tracker == std::numeric_limits<std::int32_t>::max()) {
    return tracker;
  }
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(tracker) + 1U);
}

/// Equality, not "at least" (AMP-108), with a width of the interval that differs (AMP-111).
bool reaches(std::int32_t count, std::int64_t interval, const UpdateRules& rules) {
  bool narrow = rules.interval_is_int32;
  if (fault("update_scale_interval_always_int64")) narrow = false;
  if (fault("update_scale_interval_always_int32")) narrow = true;
  if (fault("update_scale_interval_at_least_one")) interval = std::max<std::int64_t>(interval, 1);
  const std::int64_t wanted = narrow ? static_cast<std::int32_t>(interval) : interval;
  if (fault("update_scale_grows_at_or_past_interval")) return count >= wanted;
  if (fault("update_scale_grows_one_step_late")) return count - 1 == wanted;
  if (fault("update_scale_interval_zero_grows_always") && wanted == 0) return true;
  return count == wanted;
}

ScaleState backed_off(ScaleState now, const ScaleFactors& factors) {
  if (fault("update_scale_backoff_keeps_tracker")) {
    return {scaled_by(now.scale, factors.backoff), now.tracker};
  }
  if (fault("update_scale_tracker_counts_skips")) {
    return {scaled_by(now.scale, factors.backoff), 1};
  }
  const float candidate = scaled_by(now.scale, factors.backoff);
  if (fault("update_scale_floor_of_one")) return {std::max(candidate, 1.0F), 0};
  if (fault("update_scale_backoff_guarded") && !std::isfinite(candidate)) return {now.scale, 0};
  if (fault("update_scale_backoff_sets_largest") && std::isinf(now.scale)) return {kLargest, 0};
  if (fault("update_scale_backoff_in_range") && (factors.backoff >= 1 || factors.backoff <= 0)) {
    return {now.scale * 0.5F, 0};
  }
  if (fault("update_scale_backoff_needs_tracker") && now.tracker == 0) return now;
  return {candidate, 0};
}

/// The tracker starts again whether or not the growth is refused (AMP-107).
ScaleState grown(ScaleState now, const ScaleFactors& factors, const UpdateRules& rules) {
  const float candidate = scaled_by(now.scale, factors.growth);
  bool is_finite = std::isfinite(candidate);
  if (fault("update_scale_guard_on_double")) {
    is_finite = std::isfinite(static_cast<double>(now.scale) * factors.growth);
  }
  if (fault("update_scale_guard_before_rounding")) {
    is_finite = std::abs(static_cast<double>(now.scale) * factors.growth) <= kLargest;
  }
  if (fault("update_scale_guard_misses_nan") && std::isnan(candidate)) is_finite = true;
  if (fault("update_scale_guard_refuses_largest") && candidate == kLargest) is_finite = false;
  if (fault("update_scale_clamps_to_largest") && !is_finite) return {kLargest, 0};
  if (fault("update_scale_cap_2_24") && candidate > 16777216.0F) return {16777216.0F, 0};
  if (fault("update_scale_growth_must_exceed_one") && factors.growth <= 1) return {now.scale, 0};
  const bool is_guarded = rules.growth_is_guarded != fault("update_scale_guard_release_swapped");
  if (fault("update_scale_stores_infinite_growth") || !is_guarded || is_finite) {
    return {candidate, fault("update_scale_growth_keeps_tracker") ? now.tracker + 1 : 0};
  }
  if (fault("update_scale_refused_growth_keeps_tracker")) return now;
  if (fault("update_scale_refused_growth_counts")) {
    return {now.scale, count_one_more(now.tracker)};
  }
  return {now.scale, 0};
}

}  // namespace

ScaleState next_scale_state(ScaleState now, float found_inf, const ScaleFactors& factors,
                            const UpdateRules& rules) {
  ScaleFactors used = factors;
  if (fault("update_scale_factors_exchanged")) std::swap(used.growth, used.backoff);
  if (is_overflow(found_inf)) return backed_off(now, used);
  const std::int32_t count = count_one_more(now.tracker);
  if (reaches(count, used.interval, rules)) return grown(now, used, rules);
  if (fault("update_scale_clean_step_keeps_tracker")) return now;
  return {now.scale, count};
}

}  // namespace assay::reference
