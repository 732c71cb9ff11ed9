// What unscaling does to one element: test the input, multiply by the inverse.
#include "reference/amp/unscale_rule.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

bool is_half(ScalarType type) { return type == ScalarType::kHalf || type == ScalarType::kBFloat16; }

/// Of the input, never of the product (AMP-207).
bool is_non_finite(ScalarType type, double value, bool tests_as_float) {
  if (fault("unscale_f64_tests_as_double_on_cuda")) tests_as_float = false;
  if (fault("unscale_f64_tests_as_float_on_cpu")) tests_as_float = true;
  if (fault("unscale_misses_nan")) return std::isinf(value);
  if (fault("unscale_misses_infinity")) return std::isnan(value);
  if (fault("unscale_misses_negative_infinity") && std::isinf(value) && value < 0) return false;
  if (fault("unscale_misses_negative_nan") && std::isnan(value) && std::signbit(value)) {
    return false;
  }
  if (fault("unscale_largest_half_counts") && type == ScalarType::kHalf &&
      std::abs(value) >= 65504.0) {
    return true;
  }
  if (fault("unscale_bfloat16_tested_as_half") && type == ScalarType::kBFloat16) {
    return !(std::abs(value) <= 65504.0);
  }
  if (fault("unscale_largest_float_counts") &&
      std::abs(value) == std::numeric_limits<float>::max()) {
    return true;
  }
  if (!tests_as_float) return !std::isfinite(value);
  return !std::isfinite(static_cast<float>(value));  // AMP-209
}

/// The factor that a wrong implementation would use in place of the inverse.
float mistaken_factor(ScalarType type, float inv_scale) {
  const auto bits = std::bit_cast<std::uint32_t>(inv_scale);
  if (fault("unscale_reads_low_half_of_inverse") && type == ScalarType::kBFloat16) {
    return std::bit_cast<float>(bits << 16U);
  }
  if (fault("unscale_inverse_as_bfloat16") && is_half(type)) {
    return std::bit_cast<float>(bits & 0xffff0000U);
  }
  if (fault("unscale_flushes_denormal_inverse") && std::fpclassify(inv_scale) == FP_SUBNORMAL) {
    return 0.0F;
  }
  if (fault("unscale_ignores_zero_inverse") && inv_scale == 0) return 1.0F;
  if (fault("unscale_ignores_infinite_inverse") && std::isinf(inv_scale)) return 1.0F;
  if (fault("unscale_ignores_nan_inverse") && std::isnan(inv_scale)) return 1.0F;
  return inv_scale;
}

/// Narrowing the result again rounds as if the product had never been rounded before.
double to_odd_float(double exact) {
  auto nearest = static_cast<float>(exact);
  if (static_cast<double>(nearest) == exact || !std::isfinite(nearest)) return nearest;
  if (std::abs(static_cast<double>(nearest)) > std::abs(exact)) {
    nearest = std::nextafter(nearest, 0.0F);
  }
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) | 1U);
}

/// In float32, and in double for float64; one rounding; the halves are rounded a
/// second time when they are stored (AMP-202, AMP-203).
double product(ScalarType type, double value, float inv_scale) {
  const double widened = static_cast<double>(inv_scale);
  if (type == ScalarType::kDouble) {
    if (fault("unscale_f64_product_in_float")) {
      return static_cast<double>(static_cast<float>(value) * inv_scale);
    }
    return value * widened;
  }
  if (fault("unscale_divides_by_the_scale") && std::isfinite(1 / widened)) {
    return static_cast<double>(static_cast<float>(value) / static_cast<float>(1 / widened));
  }
  if (fault("unscale_half_rounds_once") && is_half(type)) return to_odd_float(value * widened);
  const float result = static_cast<float>(value) * inv_scale;
  if (fault("unscale_flushes_denormals") && std::fpclassify(result) == FP_SUBNORMAL) return 0;
  if (fault("unscale_loses_sign_of_zero") && result == 0) return 0;
  return static_cast<double>(result);
}

bool keeps_bits(float inv_scale) {
  if (fault("unscale_near_one_is_one")) return std::abs(inv_scale - 1.0F) < 2e-7F;
  return inv_scale == 1.0F;  // AMP-204
}

}  // namespace

UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float) {
  const float factor = mistaken_factor(type, inv_scale);
  UnscaledElement result;
  result.is_bad = is_non_finite(type, value, tests_as_float);
  if (fault("unscale_multiplies_by_zero_for_zero") && value == 0) return result;
  if (keeps_bits(factor)) {
    if (fault("unscale_identity_skips_test")) result.is_bad = false;
    return result;
  }
  if (fault("unscale_leaves_bad_elements") && result.is_bad) return result;  // AMP-205
  result.value = product(type, value, factor);
  result.is_written = !fault("unscale_only_checks");
  if (fault("unscale_zeroes_bad_elements") && result.is_bad) result.value = 0;
  if (fault("unscale_tests_the_product")) {
    const bool overflows_half = type == ScalarType::kHalf && std::abs(result.value) >= 65520;
    result.is_bad = overflows_half || is_non_finite(type, result.value, tests_as_float);
  }
  if (fault("unscale_tests_the_product_too") && !std::isfinite(result.value)) result.is_bad = true;
  return result;
}

}  // namespace assay::reference
