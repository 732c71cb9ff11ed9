// Entry points that exist only in CUDA 12, for programs that were built for it.
#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace {

/// The first fields of CUDA 12's device properties. The caller's structure is longer; its other
/// fields are not written.
struct PropertiesOf12 {
  char name[256];
  unsigned char uuid[16];
  char luid[8];
  unsigned luid_device_node_mask;
  std::size_t total_global_mem;
  std::size_t shared_mem_per_block;
  int regs_per_block;
  int warp_size;
  std::size_t mem_pitch;
  int max_threads_per_block;
  int max_threads_dim[3];
  int max_grid_size[3];
  int clock_rate;
  std::size_t total_const_mem;
  int major;
  int minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int device_overlap;
  int multi_processor_count;
};

}  // namespace

using assay::cuda::on_cpu::answer;
using assay::cuda::on_cpu::shape;

// CUDA 13's headers do not declare them.
extern "C" {

cudaError_t cudaGetDeviceProperties_v2(PropertiesOf12* properties, int device);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, std::size_t* count);

cudaError_t cudaGetDeviceProperties_v2(PropertiesOf12* properties, int device) {
  cudaDeviceProp now;
  const cudaError_t code = cudaGetDeviceProperties(&now, device);
  if (code != cudaSuccess) return code;
  std::memset(properties, 0, sizeof *properties);
  std::memcpy(properties->name, now.name, sizeof properties->name);
  properties->total_global_mem = now.totalGlobalMem;
  properties->shared_mem_per_block = now.sharedMemPerBlock;
  properties->regs_per_block = now.regsPerBlock;
  properties->warp_size = now.warpSize;
  properties->max_threads_per_block = now.maxThreadsPerBlock;
  properties->major = now.major;
  properties->minor = now.minor;
  properties->multi_processor_count = now.multiProcessorCount;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}

cudaError_t cudaHostGetDevicePointer(void** on_device, void* on_host, unsigned) {
  *on_device = on_host;
  return cudaSuccess;
}

}  // extern "C"
