// What moves a known number of bytes, arranged for reading: by case, by type, by size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/page/material/cost.hpp"

namespace assay::page {

/// So many bytes, with a hot L2 cache and with a cold one; null where it was not measured so.
struct MovedAt {
  std::int64_t bytes;
  const report::BenchMeasurement* hot = nullptr;
  const report::BenchMeasurement* cold = nullptr;
};

/// One case at all its sizes, the least first.
struct Series {
  std::string name;  ///< without size and cache: `device/unscale/dtype=f16/tensors=1`
  std::string
      short_name;  ///< the values of those of its axes that tell it from its neighbours: `f16`
  std::vector<MovedAt> points;
};

/// What is drawn together: `device/unscale`, or all copies between host and device.
struct Family {
  std::string name;
  bool is_between_memories = false;
  std::vector<Series> series;

  bool has_cold() const;
};

/// Of one subject; none of a copy, which is there for the noise floor.
std::vector<Family> families_of(const Bench& bench, const report::BenchSubject& subject);

}  // namespace assay::page
