// An estimate and the interval around it.
#pragma once

namespace assay::stats {

/// At the confidence that was asked for the true value lies in [low, high]. Where the sample is too
/// small for that confidence, the ends are infinite.
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
