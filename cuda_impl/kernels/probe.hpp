// Kernels that only launches need: for their tests, and for measuring what arguments of a chosen
// size cost.
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

/// The sizes in bytes that `launch_with_arguments` supports: no argument, one address, and up to
/// the maximum of a launch.
inline constexpr int kArgumentBytes[] = {0, 8, 1024, 4096, 32760};

/// Launches one thread that adds its last argument word, a 1, to `counter` in device memory;
/// without arguments it does nothing. Returns false if no kernel takes this size.
bool launch_with_arguments(int bytes, std::int32_t* counter);

}  // namespace assay::cuda
