// The cluster bootstrap of a geometric mean.
#include "harness/stats/geomean.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

#include "harness/stats/counter_random.hpp"
#include "harness/stats/sample.hpp"

namespace assay::stats {
namespace {

/// Sum and count of the logarithms of a cluster's ratios.
struct Logs {
  double sum = 0;
  double count = 0;

  void operator+=(const Logs& other) {
    sum += other.sum;
    count += other.count;
  }
  double mean() const { return sum / count; }
};

Logs logs_of(const std::vector<double>& ratios) {
  if (ratios.empty()) throw std::invalid_argument("a cluster needs at least one ratio");
  Logs logs;
  for (const double ratio : ratios) {
    if (!(ratio > 0) || std::isinf(ratio)) {
      throw std::invalid_argument("a ratio is positive and finite, not " + std::to_string(ratio));
    }
    logs += {std::log(ratio), 1};
  }
  return logs;
}

std::vector<double> resampled_means(const std::vector<Logs>& clusters,
                                    const GeomeanOptions& options) {
  CounterRandom random(options.seed);
  std::vector<double> means(options.resamples);
  for (double& mean : means) {
    Logs drawn;
    for (std::size_t i = 0; i < clusters.size(); ++i)
      drawn += clusters[random.below(clusters.size())];
    mean = drawn.mean();
  }
  std::ranges::sort(means);
  return means;
}

/// Quantiles of resamples are too narrow by sqrt((n - 1) / n), and by the ratio of Student's t to
/// the normal distribution; this tail probability corrects for both.
double tail_for(std::size_t clusters, double confidence) {
  const auto n = static_cast<double>(clusters);
  const double t = boost::math::quantile(
      boost::math::complement(boost::math::students_t(n - 1), (1 - confidence) / 2));
  return boost::math::cdf(
      boost::math::complement(boost::math::normal(), t * std::sqrt(n / (n - 1))));
}

Interval interval_of(const std::vector<double>& sorted, double tail) {
  const auto last = static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(tail * last));
  return {std::exp(sorted[low]), std::exp(sorted[sorted.size() - 1 - low])};
}

}  // namespace

Geomean geomean(std::span<const std::vector<double>> clusters, const GeomeanOptions& options) {
  if (clusters.empty()) throw std::invalid_argument("a mean needs at least one ratio");
  require_confidence(options.confidence);
  if (options.resamples < 100) throw std::invalid_argument("fewer than 100 resamples");
  std::vector<Logs> logs;
  Logs all;
  for (const std::vector<double>& cluster : clusters) {
    logs.push_back(logs_of(cluster));
    all += logs.back();
  }
  Geomean result{std::exp(all.mean()), std::nullopt, clusters.size(),
                 static_cast<std::size_t>(all.count)};
  if (clusters.size() < kFewestClusters) return result;
  result.interval =
      interval_of(resampled_means(logs, options), tail_for(clusters.size(), options.confidence));
  return result;
}

}  // namespace assay::stats
