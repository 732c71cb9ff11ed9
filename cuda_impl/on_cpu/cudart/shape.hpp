// The configuration of the simulated machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cuda::on_cpu {

/// Of an H100, whose replies are recorded: 10 * major + minor.
inline constexpr int kArchitecture = 90;

struct Shape {
  bool has_driver = true;
  int devices = 4;
  int least_priority = 0;
  int greatest_priority = -5;
  std::uint64_t memory_bytes = std::uint64_t{80} << 30;  ///< per device
  int peers = 8;  ///< devices that access each other's memory are in groups of this size
  bool blocks_launches = false;  ///< as CUDA_LAUNCH_BLOCKING=1 does
  int multiprocessors = 4;
  std::size_t most_parameter_bytes = 32764;  ///< per kernel; 4096 before CUDA 12.1
};

/// Initially from ASSAY_ON_CPU_DEVICES and ASSAY_ON_CPU_MULTIPROCESSORS; an invalid value ends the
/// process with status 2. Change it only before the first call that reads it.
Shape& shape();
/// Restores the default machine, but for what belongs to the program.
void forget_machine();

}  // namespace assay::cuda::on_cpu
