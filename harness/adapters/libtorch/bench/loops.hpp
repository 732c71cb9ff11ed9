// The loops of `bench.run` on PyTorch's C++ library, one function per theme.
#pragma once

#include <string_view>
#include <vector>

#include "harness/subject/bench_loop.hpp"

namespace assay::libtorch {

/// Prepares the loop, runs it, and cleans up.
using BenchLoop = BenchRun (*)(std::int64_t times);

struct NamedBenchLoop {
  std::string_view name;
  BenchLoop run;
};

std::vector<NamedBenchLoop> dispatch_bench_loops();
std::vector<NamedBenchLoop> autocast_bench_loops();
std::vector<NamedBenchLoop> amp_bench_loops();
std::vector<NamedBenchLoop> device_bench_loops();

}  // namespace assay::libtorch
