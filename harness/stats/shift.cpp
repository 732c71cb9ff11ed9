// Computes the Hodges-Lehmann estimate.
#include "harness/stats/shift.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/stats/mann_whitney.hpp"
#include "harness/stats/rank_sums.hpp"
#include "harness/stats/sample.hpp"

namespace assay::stats {
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
