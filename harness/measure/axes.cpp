// Formats axes and enumerates their combinations.
#include "harness/measure/axes.hpp"

#include <algorithm>

namespace assay::measure {
namespace {

template <typename T>
T value_of(const Axes& axes, const std::string& name, const T& fallback) {
  const auto found = std::ranges::find(axes, name, &Axes::value_type::first);
  const T* value = found == axes.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? fallback : *value;
}

}  // namespace

std::string to_text(const AxisValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::get<std::string>(value) : std::to_string(*number);
}

std::string to_text(const Axis& axis) {
  std::string text = axis.name + "=[";
  for (const AxisValue& value : axis.values) {
    text += (&value == axis.values.data() ? "" : ",") + to_text(value);
  }
  return text + (axis.is_open ? ",...]" : "]");
}

std::int64_t whole_of(const Axes& axes, const std::string& name, std::int64_t fallback) {
  return value_of(axes, name, fallback);
}

std::string text_of(const Axes& axes, const std::string& name, const std::string& fallback) {
  return value_of(axes, name, fallback);
}

std::vector<Axes> combinations(const std::vector<Axis>& axes) {
  std::vector<Axes> made{{}};
  for (const Axis& axis : axes) {
    std::vector<Axes> longer;
    for (const Axes& before : made) {
      for (const AxisValue& value : axis.values) {
        longer.push_back(before);
        longer.back().emplace_back(axis.name, value);
      }
    }
    made = std::move(longer);
  }
  return made;
}

}  // namespace assay::measure
