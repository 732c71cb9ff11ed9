// Counts heap allocations, for tests.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// Returns the number of `operator new` calls of this thread since it started.
std::int64_t allocations_so_far();

/// Returns the average number of allocations of a run, after a warm-up run. The simulated runtime's
/// queues grow now and then, so two averages may differ by less than 0.5.
template <typename Work>
double allocations_of(const Work& work) {
  constexpr int kRuns = 10;
  work();
  const std::int64_t before = allocations_so_far();
  for (int run = 0; run < kRuns; ++run) work();
  return static_cast<double>(allocations_so_far() - before) / kRuns;
}

}  // namespace assay::cuda
