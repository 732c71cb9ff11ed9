// Kernels that show how launches go: one that does nothing, and one that counts its threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace assay::cuda {

/// Launched as it is, without a check: what the launch leaves in the register stays there. Returns
/// what the runtime said.
cudaError_t launch_nothing(cudaStream_t stream);

struct SumShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  int registers = 0;  ///< that a thread may need; 0: as few as there are
};

struct SumOperands {
  const float* a = nullptr;
  const float* b = nullptr;
  float* sum = nullptr;
  std::int64_t count = 0;
  unsigned* threads = nullptr;  ///< one more for each thread that runs
};

/// Thread i adds elements i. Without a check, too.
cudaError_t launch_sum(const SumOperands& operands, const SumShape& shape, cudaStream_t stream);

}  // namespace assay::cuda
