// Computes contrasts, verdicts on them, and corrected p-values.
#include "harness/stats/contrast.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "harness/stats/signed_ranks.hpp"
#include "harness/stats/two_samples.hpp"

namespace assay::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_alpha(double alpha) {
  if (!(alpha > 0 && alpha < 0.5)) throw std::invalid_argument("alpha lies between 0 and 0.5");
}

double normal_upper(double tail) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
}

bool is_inside(const Interval& interval, double margin) {
  return -margin <= interval.low && interval.high <= margin;
}

/// The sample size at which a half width that falls with the root of the size becomes `wanted`;
/// infinite if it never does, zero if the samples are too small for an interval.
double size_for(double half_width, double wanted, double size) {
  if (wanted <= 0) return kInfinity;
  if (std::isinf(half_width)) return 0;
  const double times = half_width / wanted;
  return size * times * times;
}

/// The p-value of samples that do not overlap, or of pairs that all differ in one direction.
double smallest_p(bool paired, std::size_t first, std::size_t second) {
  return paired ? smallest_signed_p(first) : smallest_rank_p(first, second);
}

/// The sample size per side at which the smallest p-value passes the correction for `tests` tests.
double smallest_size(bool paired, double alpha, double tests) {
  std::size_t size = 1;
  while (smallest_p(paired, size, size) > alpha / tests) ++size;
  return static_cast<double>(size);
}

/// The sample size at which the test would pass the correction, which confirms a difference.
double size_to_confirm(const Contrast& contrast, double size, double tests) {
  const double wanted = normal_upper(contrast.alpha / (2 * tests));
  const double z_of_ends = normal_upper(contrast.alpha / 2);
  const double half = (contrast.interval.high - contrast.interval.low) / 2;
  const double enough = size_for(half * wanted / z_of_ends, std::abs(contrast.shift), size);
  return std::max(enough, smallest_size(contrast.paired, contrast.alpha, tests));
}

double size_for_equivalence(const Contrast& contrast, double margin, double size) {
  const double half = (contrast.inner.high - contrast.inner.low) / 2;
  return std::max(size_for(half, margin - std::abs(contrast.shift), size),
                  smallest_size(contrast.paired, 2 * contrast.alpha, 1));
}

}  // namespace

Contrast contrast_of(std::span<const double> first, std::span<const double> second, double alpha) {
  require_alpha(alpha);
  const PairDifferences differences(first, second);
  return {differences.middle(),
          differences.interval(1 - alpha),
          differences.interval(1 - 2 * alpha),
          mann_whitney(first, second).p,
          first.size(),
          second.size(),
          alpha,
          false};
}

Contrast paired_contrast_of(std::span<const double> first, std::span<const double> second,
                            double alpha) {
  require_alpha(alpha);
  if (first.size() != second.size()) throw std::invalid_argument("pairs need samples of one size");
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(second[i] - first[i]);
  const WalshAverages averages(differences);
  return {averages.middle(),
          averages.interval(1 - alpha),
          averages.interval(1 - 2 * alpha),
          signed_ranks(differences).p,
          first.size(),
          second.size(),
          alpha,
          true};
}

Finding judge(const Contrast& contrast, double adjusted_p, double margin) {
  if (is_inside(contrast.inner, margin)) return Finding::kSame;
  if (adjusted_p > contrast.alpha) return Finding::kUndecided;
  if (contrast.interval.high < -margin) return Finding::kLower;
  if (contrast.interval.low > margin) return Finding::kHigher;
  return Finding::kChanged;
}

bool can_be_confirmed(const Contrast& contrast, std::size_t tests) {
  const double p = smallest_p(contrast.paired, contrast.first_size, contrast.second_size);
  return p * static_cast<double>(tests) <= contrast.alpha;
}

std::optional<std::size_t> more_to_decide(const Contrast& contrast, double margin,
                                          std::size_t tests) {
  const double size = static_cast<double>(std::min(contrast.first_size, contrast.second_size));
  const double needed = std::min(size_to_confirm(contrast, size, static_cast<double>(tests)),
                                 size_for_equivalence(contrast, margin, size));
  const double more = std::max(1.0, std::ceil(needed - size));
  if (!(more <= static_cast<double>(kMostMore))) return std::nullopt;
  return static_cast<std::size_t>(more);
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t step = 0; step < order.size(); ++step) {
    const double scaled = p[order[step]] * static_cast<double>(p.size() - step);
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

}  // namespace assay::stats
