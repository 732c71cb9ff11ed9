// Unscales one element: tests the input and multiplies it by the inverse scale.
#include "reference/amp/unscale_rule.hpp"

#include <cmath>

namespace assay::reference {

namespace {

/// Tests the input, not the product (AMP-207).
bool is_non_finite(double value, bool tests_as_float) {
  if (!tests_as_float) return !std::isfinite(value);
  return !std::isfinite(static_cast<float>(value));  // AMP-209
}

/// Computed in float32, or in double for float64, and rounded once; half types are rounded again by
/// the store (AMP-202, AMP-203).
double product(ScalarType type, double value, float inv_scale) {
  if (type == ScalarType::kDouble) return value * static_cast<double>(inv_scale);
  return static_cast<double>(static_cast<float>(value) * inv_scale);
}

bool keeps_bits(float inv_scale) {
  return inv_scale == 1.0F;  // AMP-204
}

}  // namespace

UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float) {
  UnscaledElement result;
  result.is_bad = is_non_finite(value, tests_as_float);
  if (keeps_bits(inv_scale)) return result;
  result.value = product(type, value, inv_scale);
  result.is_written = true;
  return result;
}

}  // namespace assay::reference
