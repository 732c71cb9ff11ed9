// A confidence interval.
#pragma once

namespace assay::stats {

/// [low, high] contains the true value at the requested confidence. If the sample is too small for
/// that confidence, both ends are infinite.
struct Interval {
  double low;
  double high;

  bool contains(double value) const { return low <= value && value <= high; }
};

struct Estimate {
  double value;
  Interval interval;
};

}  // namespace assay::stats
