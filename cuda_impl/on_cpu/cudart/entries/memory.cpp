// Runtime calls for memory and memory pools.
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstring>
#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

std::string shown_bytes(std::size_t count) { return std::to_string(count); }

int complain_of(const std::string& call, const void* address) {
  return Calls::get().complain(1, call + ": expected the beginning of memory that is alive, saw " +
                                      Memory::get().description(address));
}

/// Returns 0 for the start of a device allocation.
int refuse_free(const std::string& call, const void* address) {
  const Memory& memory = Memory::get();
  const Piece* const piece = memory.find(address);
  const bool is_freeable = piece != nullptr && piece->is_ours && !piece->is_host &&
                           memory.bytes_from(address) == piece->size_bytes;
  return is_freeable ? 0 : complain_of(call, address);
}

/// Memory of a lost context cannot be freed, so it is no leak of the program.
void excuse_lost(const void* address) {
  auto lock = Machine::get().lock();
  const bool is_lost =
      Calls::get().sticky() != 0 || Machine::get().lost(thread_state().device) != 0;
  if (is_lost) Memory::get().mark_lost(address);
}

/// In a capture, the memory belongs to the graph and is fresh at each launch.
int allocate_on(void** address, std::size_t size, cudaStream_t stream) {
  const LinePtr line = line_of(stream);
  if (line == nullptr) return 400;
  if (size == 0) {
    *address = nullptr;
    return 0;
  }
  const auto graph = capture_of(line);
  *address = graph == nullptr ? Memory::get().allocate(size, line->device, false)
                              : Memory::get().allocate_for_graph(size, line->device);
  if (*address == nullptr) return 2;
  if (graph == nullptr) return 0;
  graph->memory.push_back(*address);
  Operation revive;
  revive.run = [made = *address] { Memory::get().revive(made); };
  return submit_or_capture(line, std::move(revive), "malloc");
}

/// For the stream race detector, freeing is a write: a later use of the memory is a race.
void free_on_stream(void* address, std::uint64_t size) {
  if (streams_are_threads()) {
    const ProgramAccessScope seen;
    std::memset(address, 0, size);
  }
  Memory::get().release(address);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** address, std::size_t size) {
  return call("malloc", shown_bytes(size), true, [&](auto&) {
    if (const int code = unsafe_while_capturing(); code != 0) return code;
    *address = size == 0 ? nullptr : Memory::get().allocate(size, thread_state().device, false);
    return *address == nullptr && size > 0 ? 2 : 0;
  });
}

cudaError_t cudaFree(void* address) {
  const cudaError_t result = call("free", address == nullptr ? "null" : "", true, [&](auto& lock) {
    if (address == nullptr) return 0;
    if (const int code = unsafe_while_capturing(); code != 0) return code;
    if (const int code = refuse_free("free", address); code != 0) return code;
    const int device = Memory::get().find(address)->device;
    Machine& machine = Machine::get();
    if (!machine.wait(lock, machine.ends_of_device(device))) return 702;
    return Memory::get().release(address) ? 0 : refuse_free("free", address);
  });
  if (result != cudaSuccess) excuse_lost(address);
  return result;
}

cudaError_t cudaMallocAsync(void** address, std::size_t size, cudaStream_t stream) {
  return call("malloc_async", shown_bytes(size) + ", " + shown(stream), true,
              [&](auto&) { return allocate_on(address, size, stream); });
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  return call("free_async", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    if (address == nullptr) return 0;
    if (const int code = refuse_free("free_async", address); code != 0) return code;
    const std::uint64_t size = Memory::get().bytes_from(address);
    Operation release;
    release.run = [=] { free_on_stream(address, size); };
    return submit_or_capture(line, std::move(release), "free");
  });
}

cudaError_t cudaHostAlloc(void** address, std::size_t size, unsigned) {
  return call("host_alloc", shown_bytes(size), true, [&](auto&) {
    if (const int code = unsafe_while_capturing(); code != 0) return code;
    *address = Memory::get().allocate(size, thread_state().device, true);
    return *address == nullptr ? 2 : 0;
  });
}

cudaError_t cudaFreeHost(void* address) {
  return call("host_free", "", true, [&](auto&) {
    if (address == nullptr) return 0;
    const Piece* const piece = Memory::get().find(address);
    const bool is_pinned = piece != nullptr && piece->is_host && piece->is_ours;
    if (is_pinned && Memory::get().release(address)) return 0;
    return complain_of("host_free", address);
  });
}

cudaError_t cudaMallocHost(void** address, std::size_t size) {
  return cudaHostAlloc(address, size, cudaHostAllocDefault);
}

cudaError_t cudaHostRegister(void* address, std::size_t size, unsigned) {
  return call("host_register", shown_bytes(size), true, [&](auto&) {
    Memory::get().add_registered(address, size);
    return 0;
  });
}

cudaError_t cudaHostUnregister(void* address) {
  return call("host_unregister", "", true,
              [&](auto&) { return Memory::get().remove_registered(address) ? 0 : 713; });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  auto lock = Machine::get().lock();
  const Piece* piece = Memory::get().find(address);
  std::memset(attributes, 0, sizeof *attributes);
  attributes->type = piece == nullptr ? cudaMemoryTypeUnregistered
                     : piece->is_host ? cudaMemoryTypeHost
                                      : cudaMemoryTypeDevice;
  attributes->device = piece == nullptr ? -2 : piece->device;
  attributes->devicePointer = piece == nullptr ? nullptr : const_cast<void*>(address);
  attributes->hostPointer =
      piece == nullptr || piece->is_host ? const_cast<void*>(address) : nullptr;
  return cudaSuccess;
}

}  // extern "C"

// These pools cache nothing: freed memory is released at once.

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
