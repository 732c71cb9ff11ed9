// Computes distances in units in the last place, and describes pairs that have none.
#include "harness/check/distance.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "harness/check/compare.hpp"
#include "harness/protocol/recipe.hpp"

namespace assay {
namespace {

std::uint64_t magnitude_mask(Dtype dtype) {
  return (std::uint64_t{1} << (bits_per_element(dtype) - 1)) - 1;
}

/// Maps floats to integers so that neighbours differ by one; both zeros map to 0.
std::int64_t ordered(Dtype dtype, std::uint64_t bits) {
  const std::uint64_t mask = magnitude_mask(dtype);
  const auto magnitude = static_cast<std::int64_t>(bits & mask);
  return (bits & ~mask) != 0 ? -magnitude : magnitude;
}

/// True for the largest magnitude that is not a NaN.
bool is_infinite(Dtype dtype, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & magnitude_mask(dtype);
  return !is_nan(dtype, magnitude) && is_nan(dtype, magnitude + 1);
}

bool is_float32(double value) {
  if (!std::isfinite(value)) return true;
  const bool is_in_range = std::fabs(value) <= std::numeric_limits<float>::max();
  return is_in_range && static_cast<double>(static_cast<float>(value)) == value;
}

}  // namespace

bool is_nan(Dtype dtype, std::uint64_t bits) {
  return is_floating(dtype) &&
         canonical_bits(dtype, bits) == canonical_bits(dtype, magnitude_mask(dtype));
}

std::optional<std::uint64_t> ulp_distance(Dtype dtype, std::uint64_t left, std::uint64_t right) {
  if (is_nan(dtype, left) || is_nan(dtype, right)) return std::nullopt;
  const std::int64_t a = ordered(dtype, left);
  const std::int64_t b = ordered(dtype, right);
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

std::string distance_in_words(Dtype dtype, std::uint64_t got, std::uint64_t wanted) {
  if (!is_floating(dtype) || got == wanted) return "";
  const bool got_nan = is_nan(dtype, got);
  const bool wanted_nan = is_nan(dtype, wanted);
  if (got_nan && wanted_nan) return "the bits of the NaN";
  if (got_nan || wanted_nan) return "a NaN on one side";
  const std::uint64_t mask = magnitude_mask(dtype);
  if ((got & mask) == (wanted & mask)) return "the sign alone";
  if (is_infinite(dtype, got) || is_infinite(dtype, wanted)) return "an infinity on one side";
  return std::to_string(*ulp_distance(dtype, got, wanted)) + " ULP of " +
         std::string(name_of(dtype));
}

std::string distance_in_words(double got, double wanted) {
  const bool has_nan = std::isnan(got) || std::isnan(wanted);
  if (!has_nan && is_float32(got) && is_float32(wanted)) {
    return distance_in_words(Dtype::kFloat32, std::bit_cast<std::uint32_t>(static_cast<float>(got)),
                             std::bit_cast<std::uint32_t>(static_cast<float>(wanted)));
  }
  return distance_in_words(Dtype::kFloat64, std::bit_cast<std::uint64_t>(got),
                           std::bit_cast<std::uint64_t>(wanted));
}

}  // namespace assay
