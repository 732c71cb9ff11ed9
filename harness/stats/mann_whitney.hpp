// The Mann-Whitney U test for two samples, exact even with ties.
#pragma once

#include <cstddef>
#include <span>

namespace assay::stats {

/// Up to this total number of values the test is exact; above it, it uses the normal approximation
/// with corrections for ties and continuity.
inline constexpr std::size_t kMostForExactU = 60;

struct MannWhitney {
  double u;  ///< pairs with the larger value in the second sample; ties count half
  double p;  ///< two-sided: twice the smaller tail, at most 1
  bool is_exact;
};

/// Throws std::invalid_argument for an empty sample or a NaN.
MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second);

/// The smallest p-value for samples of these sizes, reached if they do not overlap.
double smallest_rank_p(std::size_t first, std::size_t second);

}  // namespace assay::stats
