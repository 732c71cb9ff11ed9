// The mean of many ratios, with an interval that knows which of them belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/stats/interval.hpp"

namespace assay::stats {

/// Fewer clusters say too little about their spread for an interval.
inline constexpr std::size_t kFewestClusters = 5;

struct GeomeanOptions {
  double confidence = 0.95;
  std::size_t resamples = 4000;
  std::uint64_t seed = 1;
};

struct Geomean {
  double value;
  std::optional<Interval> interval;  ///< none below kFewestClusters
  std::size_t clusters;
  std::size_t ratios;
};

/// Each cluster holds the ratios of what varies together, as one case over its parameters; whole
/// clusters are drawn with replacement, and the ends of the interval are quantiles of the geomeans
/// drawn, moved outwards for the few clusters as Student's t asks ("expanded percentile interval").
/// The same input gives the same interval. Throws std::invalid_argument where there is no ratio, an
/// empty cluster, or a ratio that is not positive and finite.
Geomean geomean(std::span<const std::vector<double>> clusters, const GeomeanOptions& options = {});

}  // namespace assay::stats
