// Measurements that move a known number of bytes, grouped by case, type and size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/page/data/cost.hpp"

namespace assay::page {

/// The measurements at one size, with a hot and with a cold L2 cache; null if not measured.
struct MovedAt {
  std::int64_t bytes;
  const report::BenchMeasurement* hot = nullptr;
  const report::BenchMeasurement* cold = nullptr;
};

/// One case at all its sizes, in ascending order.
struct Series {
  std::string name;        ///< without size and cache: `device/unscale/dtype=f16/tensors=1`
  std::string short_name;  ///< the values of its distinguishing axes: `f16`
  std::vector<MovedAt> points;
};

/// The series of one drawing: `device/unscale`, or all copies between host and device.
struct Family {
  std::string name;
  bool is_between_memories = false;
  std::vector<Series> series;

  bool has_cold() const;
};

/// The families of one subject; empty for a copy, which serves only the noise floor.
std::vector<Family> families_of(const Bench& bench, const report::BenchSubject& subject);

}  // namespace assay::page
