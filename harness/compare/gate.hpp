// The gate: decides whether a comparison blocks a change.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/compare/thresholds.hpp"

namespace assay::compare {

/// The exit code if undecided pairs fail and nothing else does.
inline constexpr int kExitUndecided = 4;

/// The options of the comparison that these thresholds require.
Options options_of(const Thresholds& thresholds);

/// Throws Invalid if no verdict would be reliable: quick or interrupted runs, too few processes
/// (fewer than seven, or too few to confirm any regression among so many tests), a margin below the
/// noise floor, numbers that cannot be compared, a baseline without numbers, or a rule or
/// `allow_missing` pattern that matches no case.
void refuse_weak(const Comparison& comparison, const Thresholds& thresholds);

/// All findings, failures first.
std::vector<Outcome::Finding> findings_of(const Comparison& comparison,
                                          const Thresholds& thresholds);

/// Zero only if at least one pair was compared and nothing fails.
int exit_code_of(const Comparison& comparison, const std::vector<Outcome::Finding>& findings);

/// `FAIL 20 of 22 pairs compared: 1 slower, 19 same; 1 missing; …`
std::string line_of(const Comparison& comparison, int exit_code, bool is_gate);

}  // namespace assay::compare
