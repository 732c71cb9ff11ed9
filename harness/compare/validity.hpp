// Checks whether records may be compared, and which notes the comparison needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Throws Invalid if `candidate` cannot be compared with `baseline`.
void refuse_invalid(const Column& baseline, const Column& candidate, bool across_machines);

/// True if these are two copies of one run: no two runs take the same times, or as long for the
/// same counts.
bool have_same_samples(const Column& one, const Column& other);

/// Notes beside the numbers: differences between the sides, and weaknesses of one of them.
std::vector<std::string> labels_for(const std::vector<Column>& columns);

/// The maximum number of interim looks at these runs (1: none). Each look is another chance of a
/// false positive, so a comparison divides its alpha by this number and keeps the overall error
/// rate.
std::int64_t looks_at(const std::vector<Column>& columns);

/// Why these two measurements cannot be compared although their names match; nothing if they can.
std::optional<std::string> refusal_of(const Column& baseline,
                                      const report::BenchMeasurement& before,
                                      const Column& candidate,
                                      const report::BenchMeasurement& after);

/// The build that produced a subject's numbers.
const report::BenchBuild& build_of(const report::BenchRecord& record, const std::string& subject);

}  // namespace assay::compare
