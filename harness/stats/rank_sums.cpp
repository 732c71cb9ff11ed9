// Counts the ways to assign ranks, adding one rank after the other.
#include "harness/stats/rank_sums.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace assay::stats {
namespace {

/// ways[k][s]: the number of ways in which k of the ranks have the sum s. Exact up to 2^53; beyond
/// that, no cancellation occurs, so shares are accurate to a few units in the last place.
using Ways = std::vector<std::vector<double>>;

void deal(Ways& ways, std::size_t rank) {
  for (std::size_t k = ways.size() - 1; k > 0; --k) {
    for (std::size_t sum = ways[k].size() - 1; sum >= rank; --sum) {
      ways[k][sum] += ways[k - 1][sum - rank];
    }
  }
}

}  // namespace

PooledRanks pooled_ranks(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : first) all.emplace_back(value, false);
  for (const double value : second) all.emplace_back(value, true);
  std::ranges::sort(all);
  PooledRanks ranks;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    const std::size_t doubled = begin + 1 + end;  // twice the mean of begin + 1 … end
    for (std::size_t i = begin; i < end; ++i) {
      ranks.doubled.push_back(doubled);
      if (all[i].second) ranks.doubled_sum_of_second += doubled;
    }
    ranks.tied.push_back(end - begin);
    begin = end;
  }
  return ranks;
}

RankSums::RankSums(std::span<const std::size_t> doubled_ranks, std::size_t chosen) {
  const std::size_t most =
      std::accumulate(doubled_ranks.begin(), doubled_ranks.end(), std::size_t{0});
  Ways ways(chosen + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : doubled_ranks) deal(ways, rank);
  share_ = std::move(ways[chosen]);
  const double all = std::accumulate(share_.begin(), share_.end(), 0.0);
  for (double& share : share_) share /= all;
}

double RankSums::at_most(std::size_t doubled_sum) const {
  const auto end = std::min(doubled_sum + 1, share_.size());
  return std::accumulate(share_.begin(), share_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
}

double RankSums::at_least(std::size_t doubled_sum) const {
  const auto begin = std::min(doubled_sum, share_.size());
  return std::accumulate(share_.begin() + static_cast<std::ptrdiff_t>(begin), share_.end(), 0.0);
}

const std::vector<double>& untied_u(std::size_t first, std::size_t second) {
  thread_local std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> known;
  std::vector<double>& table = known[{first, second}];
  if (!table.empty()) return table;
  std::vector<std::size_t> doubled(first + second);
  for (std::size_t i = 0; i < doubled.size(); ++i) doubled[i] = 2 * (i + 1);
  const RankSums sums(doubled, second);
  for (std::size_t u = 0; u <= first * second; ++u) {
    table.push_back(sums.at_most(second * (second + 1) + 2 * u));
  }
  return table;
}

}  // namespace assay::stats
