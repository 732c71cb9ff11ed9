// Counts of training steps (harness/bench/steps.hpp), put together call by call.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/material/cost.hpp"

namespace assay::page {

/// What is counted of a call, as quantities and units have it.
inline constexpr std::array<const char*, 4> kStepCounts{"launches", "copies", "host_reads",
                                                        "allocations"};
inline constexpr std::array<const char*, 4> kStepCalls{"scale", "unscale_", "step", "update"};

/// The step whose launches are a headline.
inline constexpr const char* kTypicalStep = "adam, foreach, 100 tensors";

struct TrainingStep {
  std::string subject;
  std::string name;  ///< `adam, foreach, 100 tensors, overflow`
  /// By call, then by count; null where the step has no such call, or it was not counted.
  std::array<std::array<const report::BenchMeasurement*, kStepCounts.size()>, kStepCalls.size()>
      counts{};

  /// Summed over the calls.
  double all(std::string_view count) const;
  /// Records of before may lack one.
  bool has(std::string_view count) const;
};

/// Steps with a number, in the order of the record.
std::vector<TrainingStep> steps_of(const Bench& bench);

}  // namespace assay::page
