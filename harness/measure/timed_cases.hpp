// What is timed: loops under the names that records and reports have for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/axes.hpp"
#include "harness/measure/loops.hpp"

namespace assay::measure {

struct TimedCase {
  std::string name;  ///< `dispatch/typed`
  Axes axes;
  std::string quantity;  ///< `host.dispatch_ns`: what the number is
  LoopCall call;
  std::optional<std::int64_t> bytes = {};  ///< of memory that an iteration reads and writes
};

/// Cases that differ in the values of their axes only.
struct CaseFamily {
  std::string name;
  std::string quantity;
  std::string what;  ///< an iteration, in a few words
  std::vector<Axis> axes;
  std::function<LoopCall(const Axes& axes)> call;
  /// What an iteration must read and write of memory; null where that is not what limits it.
  std::function<std::int64_t(const LoopCall& call)> bytes = {};
};

/// In the order of tables.
std::span<const CaseFamily> all_families();

/// Those of a family whose axes have the values that `axes` says, which has an entry for each.
std::vector<TimedCase> cases_of(const CaseFamily& family, const std::vector<Axis>& axes);

/// One for each combination of values, unless somebody chooses others.
std::vector<TimedCase> all_timed_cases();

}  // namespace assay::measure
