// Describes how far two values differ: in units in the last place if they are near, else by their
// ratio.
#include "harness/check/distance.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
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

double value_of(Dtype dtype, std::uint64_t bits) {
  TensorValue element;
  element.dtype = dtype;
  element.data.resize(bits_per_element(dtype) / 8);
  element.set_bits(0, bits);
  return element.real_at(0);
}

/// `0.37`, `1.2e+30`
std::string digits(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

bool is_whole(double value) { return value == std::nearbyint(value); }

/// `twice it`, `4 times it`, `half of it`, `1/3 of it`; empty for other ratios.
std::string simple_ratio(double ratio) {
  constexpr double kMost = 4096;
  if (ratio == 2) return "twice it";
  if (ratio == 0.5) return "half of it";
  if (ratio > 1 && ratio <= kMost && is_whole(ratio)) return digits("%.0f times it", ratio);
  if (ratio < 1 && 1 / ratio <= kMost && is_whole(1 / ratio)) {
    return digits("1/%.0f of it", 1 / ratio);
  }
  return "";
}

/// What was got, compared with what was wanted; both are finite and their magnitudes differ.
std::string ratio_in_words(double got, double wanted) {
  if (wanted == 0) return ": not zero";
  if (got == 0) return ": zero";
  const double ratio = std::fabs(got / wanted);
  if (ratio == 0 || !std::isfinite(ratio)) return ": of another order of magnitude";
  const std::string sign = std::signbit(got) == std::signbit(wanted) ? "" : "minus ";
  if (const std::string words = simple_ratio(ratio); !words.empty()) return ": " + sign + words;
  if (sign.empty() && ratio > 0.5 && ratio < 1.5) {
    return " by " + digits("%.2g", 100 * std::fabs(ratio - 1)) + " %";
  }
  return ": " + sign + digits("%.3g times it", ratio);
}

/// True if a number of ULPs tells more than a ratio.
bool is_near(std::uint64_t ulps, double got, double wanted) {
  constexpr std::uint64_t kFew = 8;
  constexpr std::uint64_t kMost = 1000;
  return ulps <= kFew || (ulps <= kMost && std::fabs(got - wanted) < 0.01 * std::fabs(wanted));
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
  if (got_nan && wanted_nan) return " by the bits of the NaN";
  if (got_nan || wanted_nan) return " by a NaN on one side";
  const std::uint64_t mask = magnitude_mask(dtype);
  if ((got & mask) == (wanted & mask)) return " by the sign alone";
  if (is_infinite(dtype, got) || is_infinite(dtype, wanted)) {
    return " by an infinity on one side";
  }
  const std::uint64_t ulps = ulp_distance(dtype, got, wanted).value();
  const double number = value_of(dtype, got);
  const double expected = value_of(dtype, wanted);
  if (!is_near(ulps, number, expected)) return ratio_in_words(number, expected);
  return " by " + std::to_string(ulps) + " ULP of " + std::string(name_of(dtype));
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
