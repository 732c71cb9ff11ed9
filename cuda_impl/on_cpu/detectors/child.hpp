// Runs a grid in a forked child process whose exit code tells what a sanitizer detected.
#pragma once

#include <cstdlib>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

inline constexpr int kNothingFound = 0;
inline constexpr int kAddressFound = 1;  ///< exit code of the address sanitizer
inline constexpr int kRaceFound = 66;    ///< exit code of the thread sanitizer

/// For EXPECT_EXIT. Uses one host thread, so that the detection is deterministic.
template <typename Work>
[[noreturn]] void do_and_exit(const Work& work) {
  options().workers = 1;
  work();
  std::exit(kNothingFound);
}

}  // namespace assay::cuda::on_cpu
