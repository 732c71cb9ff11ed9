// Whether two values are equal, and a sentence about the first place where they are not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay {

struct Tolerance {
  /// Any NaN equals any NaN of its type.
  bool nan_by_class = true;
  /// Units in the last place of the element type, between finite values of one type.
  std::int64_t ulp = 0;
};

struct Difference {
  std::string where;   ///< `element [1, 2]`, `item 3`, or empty for the value itself
  std::string wanted;  ///< hexadecimal and decimal
  std::string got;
  std::string distance;  ///< `1 ULP`, or empty where that says nothing
};

/// Nothing when they are equal. Tensors: dtype, shape and elements count; strides and device only
/// where `wanted` states them.
std::optional<Difference> compare(const Value& got, const Value& wanted,
                                  const Tolerance& tolerance = {});

/// Distance between two elements of a floating type in units in the last place; nothing if either
/// is NaN.
std::optional<std::uint64_t> ulp_distance(Dtype dtype, std::uint64_t left, std::uint64_t right);

/// `0x1p+0 (1)`, `tensor float32 [2] 3f800000 7f800000 (1, inf)`: for people. Long tensors are cut.
std::string in_words(const Value& value);

}  // namespace assay
