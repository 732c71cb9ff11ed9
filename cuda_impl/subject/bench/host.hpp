// Loops of `bench.run` that make no call of the CUDA runtime: their time is that of the host,
// whatever the devices are.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "cuda_impl/subject/call.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {

/// Makes what the loop needs, runs it, and takes it away again.
using HostLoop = BenchRun (*)(const Contract& contract, std::int64_t times);

using NamedLoop = std::pair<std::string_view, HostLoop>;

std::span<const NamedLoop> dispatch_loops();
std::span<const NamedLoop> autocast_loops();
std::span<const NamedLoop> amp_loops();

/// Null for a loop that is not one of these.
HostLoop host_loop_named(std::string_view name);

}  // namespace assay::cuda
