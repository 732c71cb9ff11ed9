// How often each sum of ranks occurs when the values of two samples are dealt at random.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::stats {

/// The ranks of all values of both samples together, doubled so that the shared rank of equal
/// values is a whole number.
struct PooledRanks {
  std::vector<std::size_t> doubled;  ///< ascending
  std::size_t doubled_sum_of_second = 0;
  std::vector<std::size_t> tied;  ///< sizes of the groups of equal values; those of one included

  bool has_ties() const { return tied.size() < doubled.size(); }
};

/// Values must be finite or infinite, never NaN.
PooledRanks pooled_ranks(std::span<const double> first, std::span<const double> second);

/// The exact permutation distribution of the sum of `chosen` of the doubled ranks.
class RankSums {
 public:
  RankSums(std::span<const std::size_t> doubled_ranks, std::size_t chosen);

  /// The share of deals whose sum is at most, or at least, `doubled_sum`.
  double at_most(std::size_t doubled_sum) const;
  double at_least(std::size_t doubled_sum) const;

 private:
  std::vector<double> share_;  ///< by doubled sum
};

/// For samples without ties, by the sizes of the samples: P(U <= u) for u = 0, 1, …, first *
/// second.
const std::vector<double>& untied_u(std::size_t first, std::size_t second);

}  // namespace assay::stats
