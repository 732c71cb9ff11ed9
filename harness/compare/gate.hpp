// The gate: whether a comparison stops a change from going in.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/compare/thresholds.hpp"

namespace assay::compare {

/// Exit code where what is undecided fails, and nothing else does.
inline constexpr int kExitUndecided = 4;

/// Options of the comparison that the thresholds ask for.
Options options_of(const Thresholds& thresholds);

/// Throws Invalid where no verdict could be trusted: quick or interrupted runs, too few processes
/// (fewer than seven, or so few that among so many tests none could confirm a regression), a margin
/// below the noise floor, numbers that cannot be compared, a baseline without numbers, a rule or an
/// allowance for cases that there are not.
void refuse_weak(const Comparison& comparison, const Thresholds& thresholds);

/// Everything that the gate looks for, what fails first.
std::vector<Outcome::Finding> findings_of(const Comparison& comparison,
                                          const Thresholds& thresholds);

/// Zero only where at least one pair was compared and nothing fails.
int exit_code_of(const Comparison& comparison, const std::vector<Outcome::Finding>& findings);

/// `FAIL 20 of 22 pairs compared: 1 slower, 19 same; 1 missing; …`
std::string line_of(const Comparison& comparison, int exit_code, bool is_gate);

}  // namespace assay::compare
