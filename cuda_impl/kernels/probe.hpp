// Kernels for tests of launches: one does nothing, one adds vectors and counts its threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace assay::cuda {

/// Launches without an error check, so a launch error stays in the runtime's error register.
/// Returns the launch's result.
cudaError_t launch_nothing(cudaStream_t stream);

struct SumShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  int registers = 0;  ///< minimum per thread; 0: no minimum
};

struct SumOperands {
  const float* a = nullptr;
  const float* b = nullptr;
  float* sum = nullptr;
  std::int64_t count = 0;
  unsigned* threads = nullptr;  ///< incremented by every thread that runs
};

/// Thread i adds element i of `a` and `b`. Launches without an error check.
cudaError_t launch_sum(const SumOperands& operands, const SumShape& shape, cudaStream_t stream);

}  // namespace assay::cuda
