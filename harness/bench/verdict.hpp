// The verdict over a run of the bench.
#pragma once

#include <string>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::bench {

/// Sets the exit code and the last line. `named` are the subjects that were asked for by name: a
/// run in which one of them has run nothing has not done what it was asked for.
void judge(report::BenchRecord& record, const std::vector<std::string>& named);

}  // namespace assay::bench
