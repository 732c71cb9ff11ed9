// Loops of `bench.run` without CUDA runtime calls:
// they measure the host, independent of devices.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "cuda_impl/subject/call.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {

/// Creates what the loop needs, runs the loop, and cleans up.
using HostLoop = BenchRun (*)(const Contract& contract, std::int64_t times);

using NamedLoop = std::pair<std::string_view, HostLoop>;

std::span<const NamedLoop> dispatch_loops();
std::span<const NamedLoop> autocast_loops();
std::span<const NamedLoop> amp_loops();

/// Null if there is no such loop.
HostLoop host_loop_named(std::string_view name);

}  // namespace assay::cuda
