// The geometric mean of ratios, with an interval that accounts for clusters of related ratios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/stats/sample.hpp"

namespace assay::stats {

/// Fewer clusters are not enough to estimate their spread.
inline constexpr std::size_t kFewestClusters = 5;

struct GeomeanOptions {
  double confidence = 0.95;
  std::size_t resamples = 4000;
  std::uint64_t seed = 1;
};

struct Geomean {
  double value;
  std::optional<Interval> interval;  ///< nothing below kFewestClusters
  std::size_t clusters;
  std::size_t ratios;
};

/// Each cluster holds ratios that vary together, such as one case over its parameters. The
/// bootstrap draws whole clusters with replacement; the interval ends at quantiles of the resampled
/// means, widened by Student's t for small numbers of clusters ("expanded percentile interval").
/// Deterministic for the same input. Throws std::invalid_argument if there is no ratio, an
/// empty cluster, or a ratio that is not positive and finite.
Geomean geomean(std::span<const std::vector<double>> clusters, const GeomeanOptions& options = {});

}  // namespace assay::stats
