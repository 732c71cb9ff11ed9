// The permutation distribution of rank sums of two samples.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::stats {

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

}  // namespace assay::stats
