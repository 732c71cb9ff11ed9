// The device loops by theme, with their factories.
#pragma once

#include <span>
#include <string_view>

#include "cuda_impl/subject/bench/work.hpp"

namespace assay::cuda {

struct NamedWork {
  std::string_view name;
  std::unique_ptr<BenchWork> (*make)(Call& call);
};

std::span<const NamedWork> kernel_works();
std::span<const NamedWork> update_works();
std::span<const NamedWork> copy_works();
std::span<const NamedWork> step_works();
/// Streams, events and guards: host calls without results.
std::span<const NamedWork> runtime_works();

}  // namespace assay::cuda
