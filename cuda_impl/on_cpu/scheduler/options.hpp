// In which order grids run, and on how many threads of the host.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

enum class Order { forward, reverse, shuffled };

struct Options {
  Order order = Order::forward;  ///< of the blocks, of a block's threads, of those that are woken
  std::uint64_t seed = 1;        ///< of `shuffled`; the same seed gives the same order in a block
  std::uint32_t workers = 0;     ///< blocks that run at once; 0: as many as the machine has cores
  bool poison = true;            ///< shared memory is filled with ff when a block starts
};

/// The defaults, changed by ASSAY_ON_CPU_ORDER (forward, reverse, shuffled), ASSAY_ON_CPU_SEED and
/// ASSAY_ON_CPU_WORKERS; std::invalid_argument for what none of these can be.
Options options_from_environment();

/// For the grids that start from now on; change it while none runs. At first from the environment.
Options& options();

}  // namespace assay::cuda::on_cpu
