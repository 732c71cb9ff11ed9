// The registered kernels and their launch limits.
#pragma once

#include "cuda_impl/on_cpu/cudart/kernels.hpp"

namespace assay::cuda::on_cpu {

struct KnownKernel {
  Kernel kernel;
  std::size_t dynamic_limit = 48 << 10;  ///< limit of dynamic shared memory in bytes
};

/// Null if it is not registered. Requires the machine's lock.
KnownKernel* find_kernel(const void* function);

/// The maximum shared memory of a block, after the kernel has opted in.
std::size_t most_shared_bytes();

/// The number of such blocks that fit on a multiprocessor.
int blocks_at_once(const Kernel& kernel, int threads, std::size_t dynamic_bytes);

}  // namespace assay::cuda::on_cpu
