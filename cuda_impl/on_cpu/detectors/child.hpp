// Runs a grid in a forked child whose exit code says what a sanitizer found.
#pragma once

#include <cstdlib>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

inline constexpr int kNothingFound = 0;
inline constexpr int kAddressFound = 1;  ///< what the address sanitizer exits with
inline constexpr int kRaceFound = 66;    ///< what the thread sanitizer exits with

/// For EXPECT_EXIT. On one thread of the host: what is found must not depend on luck.
template <typename Work>
[[noreturn]] void do_and_exit(const Work& work) {
  options().workers = 1;
  work();
  std::exit(kNothingFound);
}

}  // namespace assay::cuda::on_cpu
