// The processes of measurements, which are most of a bench record, taken out of its text before a
// tree is made of the rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::report {

struct ThinBench {
  std::string rest;                              ///< the record without them
  std::vector<std::vector<BenchProcess>> taken;  ///< a list for each measurement
};

/// Takes out all but the first process of a measurement, where all others surely keep to the
/// schema, so that the record keeps to it if and only if the rest does. Nothing where the text is
/// not what a record looks like: it must be read whole then.
std::optional<ThinBench> without_plain_processes(std::string_view text);

/// Puts them behind those that are there.
void put_back(std::vector<std::vector<BenchProcess>> taken,
              std::vector<BenchMeasurement>& measurements);

}  // namespace assay::report
