// The Hodges-Lehmann estimate of the shift between two samples, with its interval.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/stats/interval.hpp"

namespace assay::stats {

/// All differences `second - first`, the basis of the estimate and its intervals.
class PairDifferences {
 public:
  /// Throws std::invalid_argument for an empty sample or a NaN.
  PairDifferences(std::span<const double> first, std::span<const double> second);

  /// The Hodges-Lehmann estimate: the median of the differences.
  double middle() const;

  /// Its ends are two of the differences, chosen by the distribution of the Mann-Whitney U (exact
  /// up to kMostForExactU values, normal beyond). It contains the shifts that the test accepts at
  /// level 1 - confidence. With ties, its coverage is at least the confidence.
  Interval interval(double confidence) const;

 private:
  std::size_t first_;
  std::size_t second_;
  std::vector<double> sorted_;
};

Estimate shift_of(std::span<const double> first, std::span<const double> second,
                  double confidence = 0.95);

}  // namespace assay::stats
