// Kernel launches, with error check and launch count; the elements that a thread of a grid
// processes (grid-stride loops), and variables in the shared memory of a block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {

/// Default number of threads in a block.
inline constexpr int kBlock = 256;

struct LaunchShape {
  dim3 grid;
  dim3 block = dim3(kBlock);
  std::size_t shared_bytes = 0;
};

/// Launches on the current device's current stream. Arguments are converted to the parameter types;
/// one that has the type already is copied only once, by the runtime (tables are 32 KB). The caller
/// checks the result.
template <typename... Parameters>
[[nodiscard]] cudaError_t try_launch(void (*kernel)(Parameters...), const LaunchShape& shape,
                                     const std::type_identity_t<Parameters>&... arguments) {
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  return cudaLaunchKernel(kernel, shape.grid, shape.block, addresses, shape.shared_bytes,
                          current_stream());
}

/// The same, checked and counted.
template <typename... Parameters>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape,
            const std::type_identity_t<Parameters>&... arguments) {
  cuda_check(try_launch(kernel, shape, arguments...));
  ++counters().launches;
}

/// Returns a grid for `count` elements with `per_thread` elements a thread: at least one block and
/// at most what a device keeps busy, since kernels use grid-stride loops.
inline dim3 blocks_for(std::int64_t count, int per_thread = 1) {
  const std::int64_t per_block = std::int64_t{kBlock} * per_thread;
  const std::int64_t wanted = (count + per_block - 1) / per_block;
  constexpr std::int64_t kMost = 132 * 16;
  return dim3(static_cast<unsigned>(wanted < 1 ? 1 : wanted > kMost ? kMost : wanted));
}

__device__ inline std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t index_stride() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// The variable of type T that the threads of a block share. There is one for each type, whoever
/// asks for it; its value is undefined when a block begins.
template <typename T>
__device__ T& shared_variable() {
#ifdef __CUDACC__
  __shared__ T variable;
  return variable;
#else  // a host compiler knows no such variables; what gives it CUDA's language has them
  return __shared_variable<T>();
#endif
}

}  // namespace assay::cuda
