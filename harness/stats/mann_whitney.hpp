// Do two samples come from one distribution? The Mann-Whitney U test, exact where ties occur too.
#pragma once

#include <cstddef>
#include <span>

namespace assay::stats {

/// Up to this many values of both samples together the test is exact; beyond, it is the normal
/// approximation with corrections for ties and continuity.
inline constexpr std::size_t kMostForExactU = 60;

struct MannWhitney {
  double u;  ///< pairs in which the value of the second sample is larger; equal pairs count a half
  double p;  ///< two-sided: twice the smaller tail, at most 1
  bool is_exact;
};

/// Throws std::invalid_argument for an empty sample or a NaN.
MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second);

/// The smallest p that the test of samples of these sizes can give: where they do not overlap.
double smallest_rank_p(std::size_t first, std::size_t second);

}  // namespace assay::stats
