// How often a piece of code takes memory from the heap.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// Calls of `operator new` on this thread since it began.
std::int64_t allocations_so_far();

/// On average over several runs, behind one that makes what is made once. Queues of the simulated
/// runtime grow now and then, so two averages of the same are less than a half apart.
template <typename Work>
double allocations_of(const Work& work) {
  constexpr int kRuns = 10;
  work();
  const std::int64_t before = allocations_so_far();
  for (int run = 0; run < kRuns; ++run) work();
  return static_cast<double>(allocations_so_far() - before) / kRuns;
}

}  // namespace assay::cuda
