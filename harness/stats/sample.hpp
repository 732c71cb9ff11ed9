// What functions on samples share: confidence intervals, and preconditions.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

namespace assay::stats {

/// [low, high] contains the true value at the requested confidence. If the sample is too small for
/// that confidence, both ends are infinite.
struct Interval {
  double low;
  double high;

  bool contains(double value) const { return low <= value && value <= high; }
};

struct Estimate {
  double value;
  Interval interval;
};

/// Throws std::invalid_argument, naming `who`, for an empty sample or one with a NaN.
inline void require_numbers(std::span<const double> sample, const char* who) {
  if (sample.empty()) throw std::invalid_argument(std::string(who) + " needs at least one value");
  if (std::ranges::any_of(sample, [](double value) { return std::isnan(value); })) {
    throw std::invalid_argument(std::string(who) + " needs numbers, got NaN");
  }
}

/// Throws std::invalid_argument unless `confidence` is between 0 and 1.
inline void require_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw std::invalid_argument("a confidence lies between 0 and 1, not at " +
                              std::to_string(confidence));
}

}  // namespace assay::stats
