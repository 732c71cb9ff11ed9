// Runtime calls that describe a device.
#include <cuda_runtime_api.h>

#include <cstring>
#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/known_kernels.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

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
