// Implements the Mann-Whitney U test.
#include "harness/stats/mann_whitney.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "harness/stats/rank_sums.hpp"
#include "harness/stats/sample.hpp"

namespace assay::stats {
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

}  // namespace assay::stats
