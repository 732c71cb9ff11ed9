// The device loops by theme, with their factories.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "cuda_impl/subject/bench/work.hpp"

namespace assay::cuda {

struct NamedWork {
  std::string_view name;
  std::unique_ptr<BenchWork> (*make)(Call& call);
};

template <typename Work>
std::unique_ptr<BenchWork> make_work(Call& call) {
  if constexpr (std::is_constructible_v<Work, Call&>) {
    return std::make_unique<Work>(call);
  } else {
    return std::make_unique<Work>();
  }
}

std::span<const NamedWork> kernel_works();
std::span<const NamedWork> update_works();
std::span<const NamedWork> copy_works();
std::span<const NamedWork> step_works();
/// Streams, events and guards: host calls without results.
std::span<const NamedWork> runtime_works();

}  // namespace assay::cuda
