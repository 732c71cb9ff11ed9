// Runtime calls that describe a kernel or change its launch limits.
#include <cuda_runtime_api.h>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/known_kernels.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

/// Calls `body` with the kernel's record. If kernels are observed only, unregistered ones are
/// accepted too.
template <typename Body>
cudaError_t with_kernel(const void* function, const Body& body) {
  auto lock = Machine::get().lock();
  KnownKernel* const known = find_kernel(function);
  if (known != nullptr) return answer(body(*known));
  if (has_program()) return answer(98);
  KnownKernel any;
  return answer(body(any));
}

int set_dynamic_limit(KnownKernel& known, int bytes) {
  const bool is_possible = bytes >= 0 && static_cast<std::size_t>(bytes) <= most_shared_bytes();
  if (!is_possible) return 1;
  known.dynamic_limit = static_cast<std::size_t>(bytes);
  return 0;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_kernel(function, [&](const KnownKernel& known) {
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(known.kernel.max_threads);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(known.dynamic_limit);
    attributes->binaryVersion = attributes->ptxVersion = kArchitecture;
    attributes->numRegs = static_cast<int>(known.kernel.registers);
    return 0;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](KnownKernel& known) {
    const bool is_limit = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize;
    return is_limit ? set_dynamic_limit(known, value) : 0;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](const KnownKernel&) { return 0; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t dynamic,
                                                                   unsigned) {
  return with_kernel(function, [&](const KnownKernel& known) {
    *blocks = blocks_at_once(known.kernel, threads, dynamic);
    return 0;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic,
                                                                0);
}

}  // extern "C"
