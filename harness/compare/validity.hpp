// May these records be compared, and with which reservations?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Throws Invalid where `candidate` cannot be compared with `baseline` at all.
void refuse_invalid(const Column& baseline, const Column& candidate, bool across_machines);

/// Sentences that belong beside the numbers: what differs between the sides, and what weakens one.
std::vector<std::string> labels_for(const std::vector<Column>& columns);

/// How often these runs were looked at, at most, to see whether they may end (1: none was). Each
/// look gives chance a chance: a comparison divides its alpha by it, so that all looks together err
/// as seldom as one.
std::int64_t looks_at(const std::vector<Column>& columns);

/// Why the numbers of these two measurements cannot be compared, although their names agree.
std::optional<std::string> refusal_of(const Column& baseline,
                                      const report::BenchMeasurement& before,
                                      const Column& candidate,
                                      const report::BenchMeasurement& after);

/// The build that a subject's numbers come from.
const report::BenchBuild& build_of(const report::BenchRecord& record, const std::string& subject);

}  // namespace assay::compare
