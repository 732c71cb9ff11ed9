// The options of grids: order and number of host threads.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

enum class Order { forward, reverse, shuffled };

struct Options {
  Order order = Order::forward;  ///< of blocks, of a block's threads, and of resumed threads
  std::uint64_t seed = 1;        ///< for `shuffled`; a seed determines the order in a block
  std::uint32_t workers = 0;  ///< blocks that run concurrently; 0: one for each core, two at least
  bool poison = true;         ///< fill shared memory with ff when a block starts
};

/// The defaults, changed by ASSAY_ON_CPU_ORDER (forward, reverse, shuffled), ASSAY_ON_CPU_SEED and
/// ASSAY_ON_CPU_WORKERS. Throws std::invalid_argument for an invalid value.
Options options_from_environment();

/// Used by grids that start later; change it only while none runs. Initialized from the
/// environment.
Options& options();

}  // namespace assay::cuda::on_cpu
