// The allocation interface that the other parts use.
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/memory/other_backends.hpp"
#include "cuda_impl/memory/sizes.hpp"

namespace assay::cuda {

AllocatedMemory allocate_device_memory(int device, std::size_t size_bytes) {
  require(size_bytes < memory::kTooMuch, ErrorKind::kOutOfMemory,
          [] { return "CUDA out of memory. Tried to allocate more than 1EB memory."; });
  memory::Block& block = memory::allocate(size_bytes, current_use(device));
  return {block.data, &block};
}

void note_device_use(const AllocatedMemory& allocated, StreamUse use) {
  memory::note_use(*static_cast<memory::Block*>(allocated.block), use);
}

void free_device_memory(const AllocatedMemory& allocated) noexcept {
  auto& block = *static_cast<memory::Block*>(allocated.block);
  if (block.home != nullptr) [[likely]]
    return block.home->take_back(block);
  try {
    block.plain->free(block);
  } catch (const Error& error) {
    cuda_warn(static_cast<cudaError_t>(error.code().value_or(cudaErrorUnknown)));
  }
}

}  // namespace assay::cuda
