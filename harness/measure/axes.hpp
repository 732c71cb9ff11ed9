// The axes of timed cases: sizes, types, and other parameters.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace assay::measure {

using AxisValue = std::variant<std::int64_t, std::string>;
/// One value for each axis, in the order of names: `tensors=2`.
using Axes = std::vector<std::pair<std::string, AxisValue>>;

struct Axis {
  std::string name;
  std::vector<AxisValue> values;  ///< default values
  bool is_open = false;           ///< accepts any positive integer; otherwise only `values`
};

/// `dtype=[f16,bf16]`; the values of an open axis are followed by `,...`.
std::string to_text(const Axis& axis);
std::string to_text(const AxisValue& value);

/// The value of an axis if it exists, else `fallback`.
std::int64_t whole_of(const Axes& axes, const std::string& name, std::int64_t fallback);
std::string text_of(const Axes& axes, const std::string& name, const std::string& fallback);

/// All combinations of the axes' values; the last axis varies fastest. No axes: one combination.
std::vector<Axes> combinations(const std::vector<Axis>& axes);

}  // namespace assay::measure
