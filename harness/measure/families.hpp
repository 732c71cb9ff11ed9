// The families of timed cases by theme, and helpers for their tables.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/timed_cases.hpp"

namespace assay::measure {

std::vector<CaseFamily> host_families();
/// Timed by the host's clock.
std::vector<CaseFamily> launch_families();
/// Timed by the device's clock.
std::vector<CaseFamily> device_families();

inline Axis whole(const char* name, std::vector<AxisValue> values) {
  return {name, std::move(values)};
}
inline Axis open(const char* name, std::vector<AxisValue> values) {
  return {name, std::move(values), true};
}
inline Axis words(const char* name, std::initializer_list<const char*> values) {
  Axis axis{name, {}};
  for (const char* value : values) axis.values.emplace_back(std::string(value));
  return axis;
}

}  // namespace assay::measure
