// Holds the times that a subject claims against the harness's own clock, outside the subject's
// process.
#pragma once

#include <string>

#include "harness/measure/loops.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::bench {

/// What the harness saw of a loop, in nanoseconds per iteration.
struct Audit {
  double waited = 0;
  /// Why the claimed time cannot be true; empty if nothing speaks against it.
  std::string refusal = {};
};

/// A claimed time is refused if the harness waited more than this many times as long. Machines
/// change their speed by less.
inline constexpr double kMostDifference = 3;

class Auditor {
 public:
  /// `step_ns`: how long a step of a checksum takes here, by the harness's own loop.
  explicit Auditor(double step_ns) : step_ns_(step_ns) {}

  /// Runs batches of n iterations and of one, each from a seed that was drawn after the harness's
  /// clock had started; the difference of their waits is what the iterations took, without
  /// preparations. Compares it with what these batches claim, and that with `claimed`, the reported
  /// time of an iteration. A refusal is repeated before it stands. Throws what measure::Batches
  /// throws.
  Audit audit(Link& link, const measure::LoopCall& call, double claimed, std::int64_t n) const;

  /// Checks a loop on a simulated device, which has no time, from two unknown seeds. Throws what
  /// measure::Batches throws.
  void check(Link& link, const measure::LoopCall& call) const;

 private:
  double step_ns_;
};

/// Why an iteration of so many instructions cannot take the claimed time, or cannot do its work;
/// empty if it can.
std::string refusal_by_count(const measure::Loop& loop, double claimed_ns, double instructions);

/// Measures how long a step takes here.
Auditor auditor_here();

}  // namespace assay::bench
