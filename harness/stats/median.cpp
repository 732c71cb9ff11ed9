// Computes the median with its interval from order statistics, and sweeps medians out of rows and
// columns.
#include "harness/stats/median.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <numeric>

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

// Tukey's median polish.

namespace {

/// Sweeps converge fast; a table that swings between two solutions stops here.
constexpr int kMostSweeps = 20;

using Effects = std::vector<double>;

/// The median of each row after the columns' effects are subtracted.
Effects swept(const std::vector<std::vector<double>>& rows, const Effects& columns) {
  Effects effects;
  for (const std::vector<double>& row : rows) {
    std::vector<double> left(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) left[c] = row[c] - columns[c];
    effects.push_back(median_of(left).value);
  }
  return effects;
}

std::vector<std::vector<double>> transposed(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<double>> columns(rows.front().size());
  for (const std::vector<double>& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
  }
  return columns;
}

}  // namespace

std::vector<double> row_effects(const std::vector<std::vector<double>>& rows) {
  const std::vector<std::vector<double>> columns = transposed(rows);
  Effects effects = swept(rows, Effects(columns.size(), 0));
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Effects next = swept(rows, swept(columns, effects));
    if (next == effects) break;
    effects = std::move(next);
  }
  const double mean =
      std::accumulate(effects.begin(), effects.end(), 0.0) / static_cast<double>(effects.size());
  for (double& effect : effects) effect -= mean;
  return effects;
}

}  // namespace assay::stats
