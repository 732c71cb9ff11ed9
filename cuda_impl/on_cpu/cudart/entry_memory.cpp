// The runtime's calls about memory, and copies.
#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/memory.hpp"

using namespace assay::cuda::on_cpu;

namespace {

bool is_pageable(const void* address) { return Memory::get().find(address) == nullptr; }

/// A pageable source is read in the call (STR-033); the rest happens on the device.
Operation copy(void* target, const void* source, std::size_t count) {
  Operation run;
  if (is_pageable(source)) {
    const auto* bytes = static_cast<const unsigned char*>(source);
    auto staged = std::make_shared<std::vector<unsigned char>>(bytes, bytes + count);
    run.run = [=] { std::memcpy(target, staged->data(), count); };
  } else {
    run.run = [=] { std::memmove(target, source, count); };
  }
  return run;
}

int copy_async(std::unique_lock<std::mutex>& lock, void* target, const void* source,
               std::size_t count, cudaStream_t stream) {
  const LinePtr line = line_of(stream);
  if (line == nullptr) return 400;
  const int code = submit_or_capture(line, copy(target, source, count), "copy");
  if (code != 0 || !is_pageable(target) || capture_of(line) != nullptr) return code;
  return Machine::get().wait(lock, {end_of(line)}) ? 0 : 702;  // a pageable target is filled now
}

std::string shown_bytes(std::size_t count) { return std::to_string(count); }

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** address, std::size_t size) {
  return call("malloc", shown_bytes(size), true, [&](auto&) {
    if (const int code = unsafe_while_capturing(); code != 0) return code;
    *address = size == 0 ? nullptr : Memory::get().allocate(size, here().device, false);
    return *address == nullptr && size > 0 ? 2 : 0;
  });
}

cudaError_t cudaFree(void* address) {
  return call("free", address == nullptr ? "null" : "", true, [&](auto& lock) {
    if (address == nullptr) return 0;
    if (const int code = unsafe_while_capturing(); code != 0) return code;
    const Piece* piece = Memory::get().find(address);
    if (piece == nullptr) return 1;
    Machine& machine = Machine::get();
    if (!machine.wait(lock, machine.ends_of_device(piece->device))) return 702;
    return Memory::get().release(address) ? 0 : 1;
  });
}

cudaError_t cudaMallocAsync(void** address, std::size_t size, cudaStream_t stream) {
  return call("malloc_async", shown_bytes(size) + ", " + shown(stream), true, [&](auto&) {
    *address = Memory::get().allocate(size, here().device, false);
    return *address == nullptr ? 2 : 0;
  });
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  return call("free_async", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    Operation release;
    release.run = [=] { Memory::get().release(address); };
    return submit_or_capture(line, std::move(release), "free");
  });
}

cudaError_t cudaHostAlloc(void** address, std::size_t size, unsigned) {
  return call("host_alloc", shown_bytes(size), true, [&](auto&) {
    *address = Memory::get().allocate(size, here().device, true);
    return *address == nullptr ? 2 : 0;
  });
}

cudaError_t cudaFreeHost(void* address) {
  return call("host_free", "", true, [&](auto&) { return Memory::get().release(address) ? 0 : 1; });
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

cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t count, cudaMemcpyKind,
                            cudaStream_t stream) {
  return call("memcpy_async", shown(stream) + ", " + shown_bytes(count), true,
              [&](auto& lock) { return copy_async(lock, target, source, count, stream); });
}

cudaError_t cudaMemcpyPeerAsync(void* target, int, const void* source, int, std::size_t count,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(target, source, count, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy(void* target, const void* source, std::size_t count, cudaMemcpyKind) {
  return call("memcpy", shown_bytes(count), true, [&](auto& lock) {
    const int code = copy_async(lock, target, source, count, nullptr);
    if (code != 0) return code;
    return Machine::get().wait(lock, {end_of(line_of(nullptr))}) ? 0 : 702;
  });
}

cudaError_t cudaMemsetAsync(void* target, int value, std::size_t count, cudaStream_t stream) {
  return call("memset_async", shown(stream) + ", " + shown_bytes(count), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    Operation fill;
    fill.run = [=] { std::memset(target, value, count); };
    return submit_or_capture(line, std::move(fill), "memset");
  });
}

cudaError_t cudaMemset(void* target, int value, std::size_t count) {
  return cudaMemsetAsync(target, value, count, nullptr);
}

}  // extern "C"
