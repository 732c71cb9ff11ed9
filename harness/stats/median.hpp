// The median of a sample, and an interval for it that assumes nothing of the distribution.
#pragma once

#include <vector>

namespace assay::stats {

struct Median {
  double value;
  double low;  ///< between `low` and `high` the true median lies, at the confidence asked for
  double high;
};

/// The interval lies between two order statistics, the same rank from either end, by the binomial
/// distribution: of 31 values the 10th and the 22nd at 0.95. Too few values for the confidence give
/// the smallest and the largest. Throws std::invalid_argument for no values, a NaN, or a confidence
/// outside (0, 1).
Median median_of(std::vector<double> values, double confidence = 0.95);

}  // namespace assay::stats
