// The loops of `bench.run` for the reference, one function for each theme.
#pragma once

#include <string_view>
#include <vector>

#include "harness/subject/bench_loop.hpp"
#include "reference/core/runtime.hpp"

namespace assay::reference {

/// Sets up the loop's data, runs the loop, and cleans up.
using BenchLoop = BenchRun (*)(Runtime& runtime, std::int64_t times);

struct NamedBenchLoop {
  std::string_view name;
  BenchLoop run;
};

std::vector<NamedBenchLoop> dispatch_bench_loops();
std::vector<NamedBenchLoop> autocast_bench_loops();
std::vector<NamedBenchLoop> amp_bench_loops();
std::vector<NamedBenchLoop> device_bench_loops();

}  // namespace assay::reference
