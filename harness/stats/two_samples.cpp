// Counts the ways to assign ranks, on which the test and the interval of the estimate stand.
#include "harness/stats/two_samples.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "harness/stats/sample.hpp"

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

// The Mann-Whitney U test.

namespace {

double twice(double tail) { return std::min(1.0, 2 * tail); }

double p_untied(double u, std::size_t first, std::size_t second) {
  const std::vector<double>& at_most = untied_u(first, second);
  const auto count = static_cast<std::size_t>(u);
  // The distribution is symmetric: P(U >= u) = P(U <= first * second - u).
  return twice(at_most[std::min(count, first * second - count)]);
}

double p_tied(const PooledRanks& ranks, std::size_t second) {
  const RankSums sums(ranks.doubled, second);
  return twice(std::min(sums.at_most(ranks.doubled_sum_of_second),
                        sums.at_least(ranks.doubled_sum_of_second)));
}

double p_normal(double u, const PooledRanks& ranks, double first, double second) {
  const double all = first + second;
  double lost = 0;
  for (const std::size_t size : ranks.tied) {
    const auto t = static_cast<double>(size);
    lost += t * t * t - t;
  }
  const double variance = first * second / 12 * ((all + 1) - lost / (all * (all - 1)));
  if (variance <= 0) return 1;  // all values are equal
  const double distance = std::max(0.0, std::abs(u - first * second / 2) - 0.5);
  const boost::math::normal standard;
  return twice(boost::math::cdf(boost::math::complement(standard, distance / std::sqrt(variance))));
}

}  // namespace

MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second) {
  require_numbers(first, "the test");
  require_numbers(second, "the test");
  const PooledRanks ranks = pooled_ranks(first, second);
  const auto m = static_cast<double>(second.size());
  const double u = static_cast<double>(ranks.doubled_sum_of_second) / 2 - m * (m + 1) / 2;
  if (first.size() + second.size() > kMostForExactU) {
    return {u, p_normal(u, ranks, static_cast<double>(first.size()), m), false};
  }
  const double p =
      ranks.has_ties() ? p_tied(ranks, second.size()) : p_untied(u, first.size(), second.size());
  return {u, p, true};
}

double smallest_rank_p(std::size_t first, std::size_t second) {
  double p = 2;  // over the number of ways to draw `first` of all
  for (std::size_t i = 1; i <= first; ++i) {
    p *= static_cast<double>(i) / static_cast<double>(second + i);
  }
  return std::min(1.0, p);
}

// The Hodges-Lehmann estimate.

namespace {

/// The low end of the interval is the difference of this rank from below, the high end that from
/// above: the largest count with P(U < count) <= tail. Zero: no interval exists.
std::size_t left_out_exactly(std::size_t first, std::size_t second, double tail) {
  const std::vector<double>& at_most = untied_u(first, second);
  std::size_t count = 0;
  while (count < at_most.size() && at_most[count] <= tail) ++count;
  return count;
}

std::size_t left_out_about(std::size_t first, std::size_t second, double tail) {
  const auto n = static_cast<double>(first);
  const auto m = static_cast<double>(second);
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
  // The largest u whose corrected distance from the mean is at least z, plus one for u = 0.
  const double u = std::floor(n * m / 2 - 0.5 - z * std::sqrt(n * m * (n + m + 1) / 12));
  return u < 0 ? 0 : static_cast<std::size_t>(u) + 1;
}

}  // namespace

PairDifferences::PairDifferences(std::span<const double> first, std::span<const double> second)
    : first_(first.size()), second_(second.size()) {
  require_numbers(first, "a shift");
  require_numbers(second, "a shift");
  sorted_.reserve(first_ * second_);
  for (const double a : first) {
    for (const double b : second) sorted_.push_back(b - a);
  }
  std::ranges::sort(sorted_);
}

double PairDifferences::middle() const {
  const std::size_t half = sorted_.size() / 2;
  return sorted_.size() % 2 == 1 ? sorted_[half] : (sorted_[half - 1] + sorted_[half]) / 2;
}

Interval PairDifferences::interval(double confidence) const {
  require_confidence(confidence);
  const double tail = (1 - confidence) / 2;
  const std::size_t left_out = first_ + second_ > kMostForExactU
                                   ? left_out_about(first_, second_, tail)
                                   : left_out_exactly(first_, second_, tail);
  if (left_out == 0) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }
  return {sorted_[left_out - 1], sorted_[sorted_.size() - left_out]};
}

Estimate shift_of(std::span<const double> first, std::span<const double> second,
                  double confidence) {
  const PairDifferences differences(first, second);
  return {differences.middle(), differences.interval(confidence)};
}

}  // namespace assay::stats
