// What the simulated machine is made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cuda::on_cpu {

struct Shape {
  bool has_driver = true;
  int devices = 4;
  int least_priority = 0;
  int greatest_priority = -5;
  std::uint64_t memory_bytes = std::uint64_t{80} << 30;  ///< of each device
  int architecture = 90;                                 ///< 10 * major + minor
  int multiprocessors = 4;
  std::size_t most_parameter_bytes = 32764;  ///< of a kernel; 4096 before CUDA 12.1
};

/// At first what ASSAY_ON_CPU_DEVICES and ASSAY_ON_CPU_MULTIPROCESSORS say; an invalid value ends
/// the process with status 2. Changed before the first call that looks.
Shape& shape();
/// But for what the program's kernels were compiled for, the machine is the usual one again.
void forget_machine();

}  // namespace assay::cuda::on_cpu
