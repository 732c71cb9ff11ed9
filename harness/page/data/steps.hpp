// Counts of training steps (harness/bench/steps.hpp), grouped by call.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/data/cost.hpp"

namespace assay::page {

/// The counts of a call, by the names used in quantities and units.
inline constexpr std::array<const char*, 4> kStepCounts{"launches", "copies", "host_reads",
                                                        "allocations"};
inline constexpr std::array<const char*, 4> kStepCalls{"scale", "unscale_", "step", "update"};

/// The step whose launches are shown as a headline.
inline constexpr const char* kTypicalStep = "adam, foreach, 100 tensors";

struct TrainingStep {
  std::string subject;
  std::string name;  ///< `adam, foreach, 100 tensors, overflow`
  /// Indexed by call, then by count; null if the step has no such call or it was not counted.
  std::array<std::array<const report::BenchMeasurement*, kStepCounts.size()>, kStepCalls.size()>
      counts{};

  /// The sum over all calls.
  double all(std::string_view count) const;
  /// Older records may lack a count.
  bool has(std::string_view count) const;
};

/// The steps with a number, in the order of the record.
std::vector<TrainingStep> steps_of(const Bench& bench);

}  // namespace assay::page
