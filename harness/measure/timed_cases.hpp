// The timed cases: loops, with their names in records and reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/loops.hpp"

namespace assay::measure {

struct TimedCase {
  std::string name;  ///< `dispatch/typed`
  Axes axes;
  std::string quantity;  ///< `host.dispatch_ns`: the measured quantity
  LoopCall call;
  std::optional<std::int64_t> bytes = {};  ///< memory read and written per iteration
};

/// Cases that differ only in the values of their axes.
struct CaseFamily {
  std::string name;
  std::string quantity;
  std::string what;  ///< a short description of an iteration
  std::vector<Axis> axes;
  std::function<LoopCall(const Axes& axes)> call;
  /// The bytes that an iteration must read and write; null if memory is not what limits it.
  std::function<std::int64_t(const LoopCall& call)> bytes = {};
};

/// In the order of the tables.
std::span<const CaseFamily> all_families();

/// The cases of a family for the values in `axes`, which must have an entry for each axis.
std::vector<TimedCase> cases_of(const CaseFamily& family, const std::vector<Axis>& axes);

/// One case for each combination of the default values.
std::vector<TimedCase> all_timed_cases();

}  // namespace assay::measure
