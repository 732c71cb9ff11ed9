// What the simulated machine is made of.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

struct Shape {
  int devices = 4;
  int least_priority = 0;
  int greatest_priority = -5;
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;  ///< of each device
};

/// Changed before the first call that looks.
Shape& shape();

}  // namespace assay::cuda::on_cpu
