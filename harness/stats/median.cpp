// Order statistics.
#include "harness/stats/median.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace assay::stats {
namespace {

/// Beyond it 2 to that power leaves the range of a double.
constexpr std::size_t kMostValues = 1000;

/// The true median lies below the value of rank r if fewer than r of `count` fair coins show heads;
/// the largest r for which that is rare enough, but at least 1.
std::size_t rank_of_low_end(std::size_t count, double confidence) {
  const double may_miss = (1.0 - confidence) / 2;
  const auto n = static_cast<double>(count);
  double exactly = std::exp2(-n);
  double at_most = exactly;
  std::size_t rank = 0;
  while (at_most <= may_miss) {
    ++rank;
    const auto heads = static_cast<double>(rank);
    exactly *= (n - heads + 1) / heads;
    at_most += exactly;
  }
  return std::max<std::size_t>(rank, 1);
}

}  // namespace

Median median_of(std::vector<double> values, double confidence) {
  const std::size_t count = values.size();
  if (count == 0 || count > kMostValues) {
    throw std::invalid_argument("a median is taken of 1 to 1000 values, not of " +
                                std::to_string(count));
  }
  std::ranges::sort(values);
  const double middle =
      count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  const std::size_t rank = rank_of_low_end(count, confidence);
  return {middle, values[rank - 1], values[count - rank]};
}

}  // namespace assay::stats
