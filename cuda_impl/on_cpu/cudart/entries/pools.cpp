// Runtime calls for memory pools. These pools cache nothing: freed memory is released at once.
#include <cuda_runtime_api.h>

#include <array>
#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

/// Attributes that the user has set.
struct Pool {
  int device = 0;
  std::map<cudaMemPoolAttr, std::uint64_t> set;
};

std::array<Pool, kMostDevices>& pools() {
  static auto* const made = new std::array<Pool, kMostDevices>();
  return *made;
}

Pool* behind(cudaMemPool_t handle) { return reinterpret_cast<Pool*>(handle); }

bool is_flag(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies ||
         attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

std::uint64_t value_of(Pool& pool, cudaMemPoolAttr attribute) {
  const bool is_now =
      attribute == cudaMemPoolAttrUsedMemCurrent || attribute == cudaMemPoolAttrReservedMemCurrent;
  if (is_now) return Memory::get().bytes_on(pool.device);
  return pool.set[attribute];
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (device < 0 || device >= shape().devices) return answer(101);
  Pool& found = pools().at(static_cast<std::size_t>(device));
  found.device = device;
  *pool = reinterpret_cast<cudaMemPool_t>(&found);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  auto lock = Machine::get().lock();
  behind(pool)->set[attribute] = is_flag(attribute)
                                     ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                     : *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  auto lock = Machine::get().lock();
  const std::uint64_t number = value_of(*behind(pool), attribute);
  if (is_flag(attribute)) {
    *static_cast<int*>(value) = static_cast<int>(number);
  } else {
    *static_cast<std::uint64_t*>(value) = number;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }

cudaError_t cudaMallocFromPoolAsync(void** address, std::size_t size, cudaMemPool_t,
                                    cudaStream_t stream) {
  return cudaMallocAsync(address, size, stream);
}

}  // extern "C"
