// Runtime calls for devices, their description, and errors.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/kernels.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

bool is_device(int index) { return index >= 0 && index < shape().devices; }

bool are_peers(int device, int other) {
  return device != other && device / shape().peers == other / shape().peers;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call("device_count", "", false, [&](auto&) {
    *count = shape().devices;
    return *count == 0 ? 100 : 0;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call("get_device", "", false, [&](auto&) {
    *device = thread_state().device;
    return 0;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call("set_device", std::to_string(device), false, [&](auto&) {
    if (!is_device(device)) return 101;
    thread_state().device = device;
    contexts().insert(device);  // since CUDA 12
    return 0;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("device_sync", "", true, [](auto& lock) {
    Machine& machine = Machine::get();
    const int device = thread_state().device;
    if (const int code = refused_while_device_captures(device); code != 0) return code;
    if (!machine.wait(lock, machine.ends_of_device(device))) return 702;
    return machine.lost(device);
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("priority_range", "", false, [&](auto&) {
    *least = shape().least_priority;
    *greatest = shape().greatest_priority;
    return 0;
  });
}

cudaError_t cudaGetLastError() {
  if (!shape().has_driver) return cudaErrorInsufficientDriver;
  const auto code = static_cast<cudaError_t>(thread_state().last_error);
  auto lock = Machine::get().lock();
  const bool is_lost =
      Machine::get().lost(thread_state().device) != 0 || Calls::get().sticky() != 0;
  if (!is_lost) thread_state().last_error = 0;
  return code;
}

cudaError_t cudaPeekAtLastError() {
  if (!shape().has_driver) return cudaErrorInsufficientDriver;
  return static_cast<cudaError_t>(thread_state().last_error);
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  const std::string text = "0000:0" + std::to_string(device + 1) + ":00.0";
  std::strncpy(id, text.c_str(), static_cast<std::size_t>(length));
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const std::string pair = std::to_string(device) + ", " + std::to_string(peer);
  return call("can_access_peer", pair, false, [&](auto&) {
    if (!is_device(device) || !is_device(peer)) return 101;
    *can = are_peers(device, peer) ? 1 : 0;
    return 0;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return answer(are_peers(thread_state().device, peer) ? 0 : 217);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return call("mem_info", "", true, [&](auto&) {
    *total_bytes = shape().memory_bytes;
    // A machine may have got less memory than is in use already.
    *free_bytes =
        *total_bytes - std::min(*total_bytes, Memory::get().bytes_on(thread_state().device));
    return 0;
  });
}

}  // extern "C"

// The description of a device.

namespace {

constexpr int kUsualSharedBytes = 48 << 10;
constexpr int kReservedSharedBytes = 1 << 10;
constexpr int kRegisters = 65536;
constexpr int kL2Bytes = 1 << 20;

int multiprocessor_shared_bytes() {
  return static_cast<int>(most_shared_bytes()) + kReservedSharedBytes;
}

/// The attributes of a simulated device; all others are 0.
std::map<cudaDeviceAttr, int> attributes() {
  return {{cudaDevAttrComputeCapabilityMajor, kArchitecture / 10},
          {cudaDevAttrComputeCapabilityMinor, kArchitecture % 10},
          {cudaDevAttrMultiProcessorCount, shape().multiprocessors},
          {cudaDevAttrWarpSize, 32},
          {cudaDevAttrMaxThreadsPerBlock, 1024},
          {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
          {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
          {cudaDevAttrMaxBlockDimX, 1024},
          {cudaDevAttrMaxBlockDimY, 1024},
          {cudaDevAttrMaxBlockDimZ, 64},
          {cudaDevAttrMaxGridDimX, 2147483647},
          {cudaDevAttrMaxGridDimY, 65535},
          {cudaDevAttrMaxGridDimZ, 65535},
          {cudaDevAttrMaxSharedMemoryPerBlock, kUsualSharedBytes},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(most_shared_bytes())},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, multiprocessor_shared_bytes()},
          {cudaDevAttrReservedSharedMemoryPerBlock, kReservedSharedBytes},
          {cudaDevAttrMaxRegistersPerBlock, kRegisters},
          {cudaDevAttrMaxRegistersPerMultiprocessor, kRegisters},
          {cudaDevAttrTotalConstantMemory, 65536},
          {cudaDevAttrL2CacheSize, kL2Bytes},
          {cudaDevAttrUnifiedAddressing, 1},
          {cudaDevAttrCanMapHostMemory, 1},
          {cudaDevAttrConcurrentKernels, 1},
          {cudaDevAttrStreamPrioritiesSupported, 1},
          {cudaDevAttrMemoryPoolsSupported, 1}};
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= shape().devices) return answer(101);
  std::memset(properties, 0, sizeof *properties);
  std::strncpy(properties->name, "simulated", sizeof properties->name - 1);
  properties->totalGlobalMem = shape().memory_bytes;
  properties->sharedMemPerBlock = kUsualSharedBytes;
  properties->sharedMemPerBlockOptin = most_shared_bytes();
  properties->sharedMemPerMultiprocessor = static_cast<std::size_t>(multiprocessor_shared_bytes());
  properties->reservedSharedMemPerBlock = kReservedSharedBytes;
  properties->regsPerBlock = properties->regsPerMultiprocessor = kRegisters;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->totalConstMem = 65536;
  properties->major = kArchitecture / 10;
  properties->minor = kArchitecture % 10;
  properties->multiProcessorCount = shape().multiprocessors;
  properties->unifiedAddressing = properties->canMapHostMemory = 1;
  properties->concurrentKernels = properties->streamPrioritiesSupported = 1;
  properties->memoryPoolsSupported = 1;
  properties->l2CacheSize = kL2Bytes;
  properties->pciBusID = device + 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device < 0 || device >= shape().devices) return answer(101);
  const auto known = attributes();
  const auto found = known.find(attribute);
  *value = found == known.end() ? 0 : found->second;
  return cudaSuccess;
}

}  // extern "C"
