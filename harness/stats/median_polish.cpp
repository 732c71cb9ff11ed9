// Sweeping medians out of rows and columns.
#include "harness/stats/median_polish.hpp"

#include <numeric>

#include "harness/stats/median.hpp"

namespace assay::stats {
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
