// Compares values, and puts distances between floating values in words.
#include "harness/check/compare.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "harness/check/words.hpp"
#include "harness/protocol/recipe.hpp"

namespace assay {

// Distances between floating values.

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

// Differences.

namespace {

int fraction_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat64:
      return 52;
    case Dtype::kFloat32:
      return 23;
    case Dtype::kFloat16:
      return 10;
    default:
      return 7;
  }
}

bool element_agrees(Dtype dtype, std::uint64_t got, std::uint64_t wanted,
                    const Tolerance& tolerance) {
  if (got == wanted) return true;
  if (!is_floating(dtype)) return false;
  if (is_nan(dtype, got) || is_nan(dtype, wanted)) {
    return tolerance.nan_by_class && is_nan(dtype, got) && is_nan(dtype, wanted);
  }
  const bool is_exact = tolerance.ulp == 0 && tolerance.relative == 0;
  if (is_exact || is_infinite(dtype, got) || is_infinite(dtype, wanted)) return false;
  const auto distance = static_cast<double>(ulp_distance(dtype, got, wanted).value());
  return distance <= static_cast<double>(tolerance.ulp) ||
         std::ldexp(distance, -fraction_bits(dtype)) <= tolerance.relative;
}

Difference plain(const Value& got, const Value& wanted) {
  return {"", in_words(wanted), in_words(got), ""};
}

std::string position(const std::vector<std::int64_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    text = std::to_string(index % extent) + (text.empty() ? "" : ", " + text);
    index /= extent;
  }
  return "element [" + text + "]";
}

std::optional<Difference> compare_digests(const TensorValue& got, const TensorValue& wanted) {
  if (!got.digest || !wanted.digest) return plain(Value(got), Value(wanted));
  if (*got.digest == *wanted.digest) return std::nullopt;
  const auto& left = got.digest->crc;
  const auto& right = wanted.digest->crc;
  const auto at = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  Difference difference = plain(Value(got), Value(wanted));
  difference.where = "digest of block " + std::to_string(at.first - left.begin());
  return difference;
}

/// Strides of dimensions that have one element, or of a tensor that has none, say nothing.
bool is_contiguous(const TensorValue& tensor) {
  if (tensor.strides.empty()) return true;
  std::uint64_t expected = 1;  // shapes of digests may be too large for a product
  bool is_dense = true;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    const std::int64_t extent = tensor.shape[axis];
    if (extent == 0) return true;
    if (extent == 1) continue;
    is_dense = is_dense && static_cast<std::uint64_t>(tensor.strides[axis]) == expected;
    expected *= static_cast<std::uint64_t>(extent);
  }
  return is_dense;
}

/// Absent strides are those of a contiguous tensor.
bool have_same_layout(const TensorValue& left, const TensorValue& right) {
  return left.strides == right.strides || (is_contiguous(left) && is_contiguous(right));
}

std::optional<Difference> compare_tensors(const TensorValue& got, const TensorValue& wanted,
                                          const Tolerance& tolerance) {
  const bool same_device = wanted.device.type.empty() || got.device == wanted.device;
  const bool same_form = got.dtype == wanted.dtype && got.shape == wanted.shape;
  if (!same_form || !have_same_layout(got, wanted) || !same_device)
    return plain(Value(got), Value(wanted));
  if (got.digest || wanted.digest) return compare_digests(got, wanted);
  // A recipe says what to make, not what was made.
  if (got.recipe || wanted.recipe) return plain(Value(got), Value(wanted));
  if (got.data.size() != wanted.data.size()) return plain(Value(got), Value(wanted));
  const std::size_t width = bits_per_element(got.dtype) / 8;
  const std::size_t count = width == 0 ? 0 : got.data.size() / width;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t left = got.bits_at(i);
    const std::uint64_t right = wanted.bits_at(i);
    if (element_agrees(got.dtype, left, right, tolerance)) continue;
    return Difference{got.shape.empty() ? "" : position(got.shape, i),
                      element_in_words(got.dtype, right), element_in_words(got.dtype, left),
                      distance_in_words(got.dtype, left, right)};
  }
  return std::nullopt;
}

std::optional<Difference> compare_sparse(const SparseValue& got, const SparseValue& wanted,
                                         const Tolerance& tolerance) {
  if (got.shape != wanted.shape || got.coalesced != wanted.coalesced) {
    return plain(Value(got), Value(wanted));
  }
  if (auto difference = compare_tensors(got.indices, wanted.indices, tolerance)) {
    difference->where = "indices, " + difference->where;
    return difference;
  }
  return compare_tensors(got.values, wanted.values, tolerance);
}

std::optional<Difference> compare_items(const std::vector<Value>& got,
                                        const std::vector<Value>& wanted,
                                        const Tolerance& tolerance) {
  for (std::size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
    auto difference = compare(got[i], wanted[i], tolerance);
    if (!difference) continue;
    difference->where =
        "item " + std::to_string(i) + (difference->where.empty() ? "" : ", " + difference->where);
    return difference;
  }
  if (got.size() == wanted.size()) return std::nullopt;
  return Difference{"number of items", std::to_string(wanted.size()), std::to_string(got.size()),
                    ""};
}

std::optional<Difference> compare_reals(double got, double wanted, const Tolerance& tolerance) {
  const auto left = std::bit_cast<std::uint64_t>(got);
  const auto right = std::bit_cast<std::uint64_t>(wanted);
  if (element_agrees(Dtype::kFloat64, left, right, tolerance)) return std::nullopt;
  Difference difference = plain(got, wanted);
  difference.distance = distance_in_words(got, wanted);
  return difference;
}

/// The items of a list-like value, or null. Lists and tuples never compare equal: the caller has
/// compared their kinds.
const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return &list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return &tuple->items;
  if (const auto* lazy = value.get_if<Lazy>()) return &lazy->items;
  return nullptr;
}

std::optional<Difference> compare_dicts(const Dict& got, const Dict& wanted,
                                        const Tolerance& tolerance) {
  std::vector<Value> left;
  std::vector<Value> right;
  for (const auto& [key, value] : got.items) left.insert(left.end(), {key, value});
  for (const auto& [key, value] : wanted.items) right.insert(right.end(), {key, value});
  return compare_items(left, right, tolerance);
}

}  // namespace

std::optional<Difference> compare(const Value& got, const Value& wanted,
                                  const Tolerance& tolerance) {
  if (kind_of(got) != kind_of(wanted)) return plain(got, wanted);
  if (const auto* tensor = wanted.tensor())
    return compare_tensors(*got.tensor(), *tensor, tolerance);
  if (const auto* sparse = wanted.sparse())
    return compare_sparse(*got.sparse(), *sparse, tolerance);
  if (const auto* items = items_of(wanted)) return compare_items(*items_of(got), *items, tolerance);
  if (const auto* dict = wanted.get_if<Dict>()) {
    return compare_dicts(*got.get_if<Dict>(), *dict, tolerance);
  }
  if (const auto* real = wanted.get_if<double>()) {
    return compare_reals(*got.get_if<double>(), *real, tolerance);
  }
  if (identical(got, wanted)) return std::nullopt;
  return plain(got, wanted);
}

}  // namespace assay
