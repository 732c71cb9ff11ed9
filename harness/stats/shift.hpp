// By how much two samples differ: the Hodges-Lehmann estimate of a shift, with its interval.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/stats/interval.hpp"

namespace assay::stats {

/// All differences `second - first`, from which the estimate and its intervals are read.
class PairDifferences {
 public:
  /// Throws std::invalid_argument for an empty sample or a NaN.
  PairDifferences(std::span<const double> first, std::span<const double> second);

  /// The Hodges-Lehmann estimate: their median.
  double middle() const;

  /// Lies between two of the differences, which the distribution of Mann and Whitney's U chooses
  /// (exact up to kMostForExactU values, normal beyond): it holds the shifts that the test at level
  /// 1 - confidence does not reject. With ties it covers at least as often.
  Interval interval(double confidence) const;

 private:
  std::size_t first_;
  std::size_t second_;
  std::vector<double> sorted_;
};

Estimate shift_of(std::span<const double> first, std::span<const double> second,
                  double confidence = 0.95);

}  // namespace assay::stats
