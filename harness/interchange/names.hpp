// The names of measurements in other tools.
#pragma once

#include <string>

#include "harness/report/bench/record.hpp"

namespace assay::interchange {

/// `dispatch/typed/tensors=1/subject=reference/quantity=host.dispatch_ns`, with `separator` instead
/// of `=`. White space, which ends a name in those formats, becomes `_`.
std::string name_of(const report::BenchMeasurement& measurement, char separator);

/// `reference dispatch/typed/tensors=1 (host.dispatch_ns): the reason`
std::string left_out(const report::BenchMeasurement& measurement, const std::string& reason);

}  // namespace assay::interchange
