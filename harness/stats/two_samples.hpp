// Two independent samples: the Mann-Whitney U test, exact even with ties, and the Hodges-Lehmann
// estimate of the shift between them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/stats/sample.hpp"

namespace assay::stats {

// The permutation distribution of rank sums of two samples.

/// The ranks of the values of both samples, doubled so that the shared rank of equal values is an
/// integer.
struct PooledRanks {
  std::vector<std::size_t> doubled;  ///< ascending
  std::size_t doubled_sum_of_second = 0;
  std::vector<std::size_t> tied;  ///< sizes of groups of equal values, including 1

  bool has_ties() const { return tied.size() < doubled.size(); }
};

/// Values may be infinite, but not NaN.
PooledRanks pooled_ranks(std::span<const double> first, std::span<const double> second);

/// The exact permutation distribution of the sum of `chosen` doubled ranks.
class RankSums {
 public:
  RankSums(std::span<const std::size_t> doubled_ranks, std::size_t chosen);

  /// The probability of a sum at most, or at least, `doubled_sum`.
  double at_most(std::size_t doubled_sum) const;
  double at_least(std::size_t doubled_sum) const;

 private:
  std::vector<double> share_;  ///< indexed by doubled sum
};

/// For samples of these sizes without ties: P(U <= u) for u = 0, 1, …, first *
/// second.
const std::vector<double>& untied_u(std::size_t first, std::size_t second);

// The Mann-Whitney U test.

/// Up to this total number of values the test is exact; above it, it uses the normal approximation
/// with corrections for ties and continuity.
inline constexpr std::size_t kMostForExactU = 60;

struct MannWhitney {
  double u;  ///< pairs with the larger value in the second sample; ties count half
  double p;  ///< two-sided: twice the smaller tail, at most 1
  bool is_exact;
};

/// Throws std::invalid_argument for an empty sample or a NaN.
MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second);

/// The smallest p-value for samples of these sizes, reached if they do not overlap.
double smallest_rank_p(std::size_t first, std::size_t second);

// The Hodges-Lehmann estimate.

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
