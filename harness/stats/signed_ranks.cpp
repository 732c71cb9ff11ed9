// Implements the signed-rank test and its interval.
#include "harness/stats/signed_ranks.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "harness/stats/sample.hpp"

namespace assay::stats {
namespace {

/// Ranks of the absolute values of the non-zero differences, doubled so that shared ranks are
/// integers.
struct Ranked {
  std::vector<std::size_t> doubled;
  std::size_t doubled_sum_of_positive = 0;
  double lost_to_ties = 0;  ///< sum of t^3 - t
};

Ranked ranked(std::span<const double> differences) {
  std::vector<double> kept;
  std::ranges::copy_if(differences, std::back_inserter(kept), [](double d) { return d != 0; });
  std::ranges::sort(kept, {}, [](double d) { return std::abs(d); });
  Ranked ranks;
  for (std::size_t i = 0; i < kept.size();) {
    std::size_t end = i + 1;
    while (end < kept.size() && std::abs(kept[end]) == std::abs(kept[i])) ++end;
    const std::size_t doubled = i + 1 + end;  // the mean of ranks i + 1 … end
    for (std::size_t j = i; j < end; ++j) {
      ranks.doubled.push_back(doubled);
      if (kept[j] > 0) ranks.doubled_sum_of_positive += doubled;
    }
    const auto size = static_cast<double>(end - i);
    ranks.lost_to_ties += size * size * size - size;
    i = end;
  }
  return ranks;
}

/// P(sum of the positive ranks = s), indexed by doubled sum, with both signs equally likely.
std::vector<double> shares_of_sums(std::span<const std::size_t> doubled) {
  std::vector<double> share{1};
  for (const std::size_t rank : doubled) {
    std::vector<double> next(share.size() + rank, 0.0);
    for (std::size_t sum = 0; sum < share.size(); ++sum) {
      next[sum] += share[sum] / 2;
      next[sum + rank] += share[sum] / 2;
    }
    share = std::move(next);
  }
  return share;
}

double at_most(const std::vector<double>& share, std::size_t sum) {
  double total = 0;
  for (std::size_t i = 0; i <= std::min(sum, share.size() - 1); ++i) total += share[i];
  return total;
}

double normal_upper_tail(double distance) {
  return boost::math::cdf(boost::math::complement(boost::math::normal(), distance));
}

double mean_of_sum(double n) { return n * (n + 1) / 4; }
double variance_of_sum(double n) { return n * (n + 1) * (2 * n + 1) / 24; }

double p_exact(const Ranked& ranks) {
  const std::vector<double> share = shares_of_sums(ranks.doubled);
  const std::size_t most = share.size() - 1;
  // The distribution is symmetric.
  const std::size_t smaller =
      std::min(ranks.doubled_sum_of_positive, most - ranks.doubled_sum_of_positive);
  return std::min(1.0, 2 * at_most(share, smaller));
}

double p_normal(const Ranked& ranks) {
  const auto n = static_cast<double>(ranks.doubled.size());
  const double variance = variance_of_sum(n) - ranks.lost_to_ties / 48;
  if (variance <= 0) return 1;
  const double w = static_cast<double>(ranks.doubled_sum_of_positive) / 2;
  const double distance = std::max(0.0, std::abs(w - mean_of_sum(n)) - 0.5);
  return std::min(1.0, 2 * normal_upper_tail(distance / std::sqrt(variance)));
}

/// The low end of the interval is the average of this rank from below, the high end from above:
/// the largest count with P(W < count) <= tail. Zero: no interval exists.
std::size_t left_out_exactly(std::size_t size, double tail) {
  std::vector<std::size_t> ranks(size);
  for (std::size_t i = 0; i < size; ++i) ranks[i] = i + 1;
  double below = 0;
  std::size_t count = 0;
  for (const double share : shares_of_sums(ranks)) {
    below += share;
    if (below > tail) break;
    ++count;
  }
  return count;
}

std::size_t left_out_about(std::size_t size, double tail) {
  const auto n = static_cast<double>(size);
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
  const double w = std::floor(mean_of_sum(n) - 0.5 - z * std::sqrt(variance_of_sum(n)));
  return w < 0 ? 0 : static_cast<std::size_t>(w) + 1;
}

}  // namespace

SignedRanks signed_ranks(std::span<const double> differences) {
  require_numbers(differences, "the test of pairs");
  const Ranked ranks = ranked(differences);
  const double w = static_cast<double>(ranks.doubled_sum_of_positive) / 2;
  if (ranks.doubled.size() > kMostForExactSigns) return {w, p_normal(ranks), false};
  return {w, p_exact(ranks), true};
}

WalshAverages::WalshAverages(std::span<const double> differences) : size_(differences.size()) {
  require_numbers(differences, "a shift of pairs");
  sorted_.reserve(size_ * (size_ + 1) / 2);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) {
      sorted_.push_back((differences[i] + differences[j]) / 2);
    }
  }
  std::ranges::sort(sorted_);
}

double WalshAverages::middle() const {
  const std::size_t half = sorted_.size() / 2;
  return sorted_.size() % 2 == 1 ? sorted_[half] : (sorted_[half - 1] + sorted_[half]) / 2;
}

Interval WalshAverages::interval(double confidence) const {
  require_confidence(confidence);
  const double tail = (1 - confidence) / 2;
  const std::size_t left_out =
      size_ > kMostForExactSigns ? left_out_about(size_, tail) : left_out_exactly(size_, tail);
  if (left_out == 0) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }
  return {sorted_[left_out - 1], sorted_[sorted_.size() - left_out]};
}

double smallest_signed_p(std::size_t size) {
  return std::min(1.0, std::ldexp(2.0, -static_cast<int>(std::min<std::size_t>(size, 1000))));
}

}  // namespace assay::stats
