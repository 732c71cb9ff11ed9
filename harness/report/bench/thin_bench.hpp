// Extracts the processes, which are most of a bench record, from its text before a tree is built of
// the rest.
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

/// Extracts all processes of a measurement except the first, if they certainly follow the schema,
/// so that the record is valid if and only if the rest is. Nothing if the text does not look like a
/// record and must be read as a whole.
std::optional<ThinBench> without_plain_processes(std::string_view text);

/// Appends them to the existing processes.
void put_back(std::vector<std::vector<BenchProcess>> taken,
              std::vector<BenchMeasurement>& measurements);

}  // namespace assay::report
