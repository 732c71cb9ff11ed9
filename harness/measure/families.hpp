// The families of timed cases by theme, helpers for their tables, and the networks from which some
// take their sizes.
#pragma once

#include <cstdint>
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

// The parameter sizes of two well-known networks, tensor by tensor.

// In order. `shrink` divides each size, rounding up, for smaller devices.

/// ResNet-50: 161 tensors, 25,557,032 elements.
std::vector<std::int64_t> resnet50(std::int64_t shrink = 1);
/// A transformer of 7 billion parameters (LLaMA): 291 tensors, 6,738,415,616 elements.
std::vector<std::int64_t> transformer7b(std::int64_t shrink = 1);

}  // namespace assay::measure
