// Medians: of a sample, with a distribution-free confidence interval, and of the rows of a table.
#pragma once

#include <vector>

namespace assay::stats {

struct Median {
  double value;
  double low;  ///< the confidence interval is [low, high]
  double high;
};

/// The interval ends at two order statistics of the same rank from either end, by the binomial
/// distribution: the 10th and 22nd of 31 values at 0.95. If there are too few values, it is
/// [minimum, maximum]. Throws std::invalid_argument for no values, a NaN, or a confidence
/// outside (0, 1).
Median median_of(std::vector<double> values, double confidence = 0.95);

/// The effect of each row, separated from the columns' effects. The model is `rows[r][c]` =
/// effect[r] + column[c] + noise; the medians of columns and rows are subtracted in turns. One
/// outlier value, or one outlier row among three or more, changes no other row's effect. The
/// effects sum to 0. All rows are equally long, and none is empty.
std::vector<double> row_effects(const std::vector<std::vector<double>>& rows);

}  // namespace assay::stats
