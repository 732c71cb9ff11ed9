// What the calls about kernels share: which are known, and what a launch of each may ask for.
#pragma once

#include "cuda_impl/on_cpu/cudart/kernels.hpp"

namespace assay::cuda::on_cpu {

struct KnownKernel {
  Kernel kernel;
  bool is_complete = false;              ///< looked for in the program
  std::size_t dynamic_limit = 48 << 10;  ///< bytes of dynamic shared memory that a launch may have
};

/// Null where nobody registered one, or the program does not have it. With the machine's lock held.
KnownKernel* find_kernel(const void* function);

/// Shared memory that a block may have once its kernel has asked for it.
std::size_t most_shared_bytes();

/// Blocks of the shape that a multiprocessor holds at once.
int blocks_at_once(const Kernel& kernel, int threads, std::size_t dynamic_bytes);

}  // namespace assay::cuda::on_cpu
