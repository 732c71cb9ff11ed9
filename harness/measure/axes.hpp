// Axes of what is timed: sizes, types, and whatever else is varied.
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
  std::vector<AxisValue> values;  ///< unless somebody chooses others
  bool is_open = false;           ///< any whole number from 1 on may be chosen; else only `values`
};

/// `dtype=[f16,bf16]`; an open axis has `,...` behind its values.
std::string to_text(const Axis& axis);
std::string to_text(const AxisValue& value);

/// The value of an axis that is there, or `fallback`.
std::int64_t whole_of(const Axes& axes, const std::string& name, std::int64_t fallback);
std::string text_of(const Axes& axes, const std::string& name, const std::string& fallback);

/// Every combination of the axes' values, the last axis running fastest. One without axes is one.
std::vector<Axes> combinations(const std::vector<Axis>& axes);

}  // namespace assay::measure
