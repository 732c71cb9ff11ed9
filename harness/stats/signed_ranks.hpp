// Wilcoxon's signed-rank test for the differences of pairs, and the estimate of their center.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/stats/sample.hpp"

namespace assay::stats {

/// Up to this many differences the test and the interval are exact; above it, they use the normal
/// approximation with corrections for ties and continuity.
inline constexpr std::size_t kMostForExactSigns = 60;

struct SignedRanks {
  double w;  ///< the sum of the ranks of the positive differences
  double p;  ///< two-sided: twice the smaller tail over all signs, at most 1
  bool is_exact;
};

/// Differences of zero are ignored; equal distances share their rank. Throws
/// std::invalid_argument for no differences or a NaN.
SignedRanks signed_ranks(std::span<const double> differences);

/// The means of all pairs of differences, including each with itself: the basis of the one-sample
/// Hodges-Lehmann estimate and its intervals.
class WalshAverages {
 public:
  /// Throws std::invalid_argument for no differences or a NaN.
  explicit WalshAverages(std::span<const double> differences);

  double middle() const;

  /// Contains the centers that the test does not reject at level 1 - confidence. With ties, its
  /// coverage is at least the confidence.
  Interval interval(double confidence) const;

 private:
  std::size_t size_;
  std::vector<double> sorted_;
};

/// The smallest p-value for a test of `size` differences.
double smallest_signed_p(std::size_t size);

}  // namespace assay::stats
