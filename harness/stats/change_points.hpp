// Change points: where the level of a series changes and stays changed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::stats {

/// Splits the series into segments of at least `shortest` values, so that the sum of all distances
/// to the median of the own segment, plus `penalty` for each split, is least. Returns where
/// segments begin, without the first: exact, by dynamic programming with PELT's pruning. A value
/// that stands alone costs the same in every segment, so that it moves no split.
std::vector<std::size_t> least_cost_splits(std::span<const double> values, std::size_t shortest,
                                           double penalty);

struct ChangeOptions {
  double alpha = 0.01;          ///< the chance that a series without a change has any
  double margin = 0;            ///< smaller shifts are no change
  std::size_t persistence = 3;  ///< the fewest values on either side of a change
};

struct ChangePoint {
  std::size_t index;  ///< of the first value behind the change
  double shift;       ///< mean behind the change minus mean before
  double p;           ///< counts every place where the change could have been
};

struct Changes {
  bool too_few = false;  ///< fewer than `fewest_values`: nothing was decided
  std::vector<ChangePoint> points;
  double noise = 0;  ///< standard deviation of a value around its level
  /// How many of the last values lie apart from their level: too few to be a change, so far.
  std::size_t apart_at_end = 0;
};

/// Both sides of a change, and two values that show the noise.
constexpr std::size_t fewest_values(const ChangeOptions& options) {
  return 2 * options.persistence + 2;
}

/// The values are in order of time. `own_spreads` has the standard error of each value, as known
/// from its own replicates, or is empty: two levels that single values straddle are no change.
///
/// Candidates are `least_cost_splits` in units of the noise. The least convincing one is removed
/// until all that are left are confirmed: by Student's test of the step between the segments beside
/// it, estimated by generalized least squares, because neighbouring values resemble each other. Its
/// variance is not below that which the values' own spreads give, and p is multiplied by the number
/// of possible places. Values that stand alone count for nothing, if they are rare. Throws
/// std::invalid_argument for a NaN, or for another number of spreads than values.
Changes changes_of(std::span<const double> values, std::span<const double> own_spreads,
                   const ChangeOptions& options);

}  // namespace assay::stats
