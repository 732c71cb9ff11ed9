// Compares two values, and describes the first difference and how large it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/protocol/dtype.hpp"
#include "harness/protocol/value.hpp"

namespace assay {

bool is_nan(Dtype dtype, std::uint64_t bits);

/// The text after "differs by": `3 ULP of float16`, `the sign alone`, `a NaN on one side`. Empty if
/// the bits are the same, and for types that are not floating.
std::string distance_in_words(Dtype dtype, std::uint64_t got, std::uint64_t wanted);

/// For values sent as numbers, without a type: counted in float32 if it represents both exactly,
/// else in float64.
std::string distance_in_words(double got, double wanted);

struct Tolerance {
  /// NaNs of one type are equal whatever their bits.
  bool nan_by_class = true;
  /// The tolerance between finite values of one type, in units in the last place of that type.
  std::int64_t ulp = 0;
  /// The same, as a part of the value; the larger of the two holds.
  double relative = 0;
};

struct Difference {
  std::string where;   ///< `element [1, 2]`, `item 3`, or empty for the value itself
  std::string wanted;  ///< in hexadecimal and decimal
  std::string got;
  /// How far they differ, as the end of a sentence: ` by 1 ULP of float32`, `: half of it`; empty
  /// if not meaningful.
  std::string distance;
};

/// Nothing if they are equal. Compares dtype, shape, elements and strides of tensors (a tensor
/// without strides is contiguous); the device only if `wanted` has one.
std::optional<Difference> compare(const Value& got, const Value& wanted,
                                  const Tolerance& tolerance = {});

/// The distance between two elements of a floating type in units in the last place; nothing if
/// either is NaN.
std::optional<std::uint64_t> ulp_distance(Dtype dtype, std::uint64_t left, std::uint64_t right);

/// `0x1p+0 (1)`, `tensor float32 [2] 3f800000 7f800000 (1, inf)`. Long tensors are truncated.
std::string in_words(const Value& value);

}  // namespace assay
