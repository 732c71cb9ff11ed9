// The verdict of a bench run.
#pragma once

#include <string>
#include <vector>

#include "harness/report/bench/record.hpp"

namespace assay::bench {

/// Sets the exit code and the last line. `named` lists the subjects requested by name: the run
/// fails if one of them has run nothing.
void judge(report::BenchRecord& record, const std::vector<std::string>& named);

}  // namespace assay::bench
