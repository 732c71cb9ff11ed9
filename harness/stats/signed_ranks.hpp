// Are differences of pairs centred on zero, and where are they centred? Wilcoxon's signed ranks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/stats/interval.hpp"

namespace assay::stats {

/// Up to this many differences the test and the interval are exact; beyond, they are the normal
/// approximation with corrections for ties and continuity.
inline constexpr std::size_t kMostForExactSigns = 60;

struct SignedRanks {
  double w;  ///< the sum of the ranks of the positive differences
  double p;  ///< two-sided: twice the smaller tail over all signs, at most 1
  bool is_exact;
};

/// Differences of zero say nothing and are left out; equal distances share their rank. Throws
/// std::invalid_argument for no differences or a NaN.
SignedRanks signed_ranks(std::span<const double> differences);

/// The means of all pairs of differences, each with itself too: the Hodges-Lehmann estimate of one
/// sample and its intervals are read from them.
class WalshAverages {
 public:
  /// Throws std::invalid_argument for no differences or a NaN.
  explicit WalshAverages(std::span<const double> differences);

  double middle() const;

  /// Holds the centres that the test at level 1 - confidence does not reject. With ties it covers
  /// at least as often.
  Interval interval(double confidence) const;

 private:
  std::size_t size_;
  std::vector<double> sorted_;
};

/// The smallest p that the test of so many differences can give.
double smallest_signed_p(std::size_t size);

}  // namespace assay::stats
