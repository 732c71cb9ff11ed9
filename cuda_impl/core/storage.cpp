// Memory: from the pool of a stream, or from the host's heap.
#include "cuda_impl/core/storage.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/graph_memory.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

/// A cache line, and the widest access of any kernel or processor.
constexpr std::align_val_t kHostAlignment{64};

/// Left alone, the pool hands all that is free back to the system whenever the host waits for a
/// stream, and whoever allocates next pays for it.
void let_pool_keep_memory(int index) {
  cudaMemPool_t pool = nullptr;
  cuda_check(cudaDeviceGetDefaultMemPool(&pool, index));
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  cuda_check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

void prepare_pool(int index) {
  constexpr std::size_t kMostDevices = 64;
  static std::array<std::once_flag, kMostDevices> prepared;
  std::call_once(prepared.at(static_cast<std::size_t>(index)), let_pool_keep_memory, index);
}

std::byte* allocate_on_device(int index, std::size_t size_bytes) {
  const DeviceScope scope(index);
  prepare_pool(index);
  void* address = nullptr;
  cuda_check_memory(cudaMallocAsync(&address, size_bytes, current_stream()));
  return static_cast<std::byte*>(address);
}

std::byte* allocate_on_host(std::size_t size_bytes) {
  void* address = ::operator new(size_bytes, kHostAlignment, std::nothrow);
  require(address != nullptr, ErrorKind::kOutOfMemory, [&] {
    return "can't allocate memory: the host has no " + std::to_string(size_bytes) + " bytes left";
  });
  return static_cast<std::byte*>(address);
}

void free_on_device(int index, std::byte* data) noexcept {
  try {
    const DeviceScope scope(index);
    cuda_warn(cudaFreeAsync(data, current_stream()));
  } catch (const Error& error) {
    cuda_warn(static_cast<cudaError_t>(error.code().value_or(cudaErrorUnknown)));
    cuda_warn(cudaFree(data));  // of whatever device, behind all that uses it
  }
}

}  // namespace

Storage::Storage(Device device, std::size_t size_bytes) : device_(device), size_bytes_(size_bytes) {
  if (size_bytes == 0 || device.is_meta()) return;
  if (!device.is_cuda()) {
    data_ = allocate_on_host(size_bytes);
  } else if (memory_of_capture() != nullptr) {
    graph_ = memory_of_capture();
    data_ = graph_->allocate(device.index, size_bytes);
  } else {
    data_ = allocate_on_device(device.index, size_bytes);
  }
  ++counters().allocations;
}

Storage::~Storage() {
  if (data_ == nullptr || graph_ != nullptr) return;
  if (!device_.is_cuda()) {
    ::operator delete(data_, kHostAlignment);
  } else if (memory_of_capture() != nullptr) {
    memory_of_capture()->free_later(device_.index, data_);
  } else {
    free_on_device(device_.index, data_);
  }
}

}  // namespace assay::cuda
