// Computes the median and its interval from order statistics.
#include "harness/stats/median.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

#include "harness/stats/sample.hpp"

namespace assay::stats {
namespace {

/// The true median is below the value of rank r if fewer than r of `count` fair coins show heads.
/// Returns the largest r for which that is rare enough, but at least 1.
std::size_t rank_of_low_end(std::size_t count, double confidence) {
  const boost::math::binomial heads(static_cast<double>(count), 0.5);
  const double may_miss = (1.0 - confidence) / 2;
  std::size_t rank = 0;
  while (boost::math::cdf(heads, static_cast<double>(rank)) <= may_miss) ++rank;
  return std::max<std::size_t>(rank, 1);
}

}  // namespace

Median median_of(std::vector<double> values, double confidence) {
  const std::size_t count = values.size();
  require_numbers(values, "a median");
  require_confidence(confidence);
  std::ranges::sort(values);
  const double middle =
      count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  const std::size_t rank = rank_of_low_end(count, confidence);
  return {middle, values[rank - 1], values[count - rank]};
}

}  // namespace assay::stats
