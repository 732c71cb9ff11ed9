// Kernels for tests and measurements of launches.
#include <cuda_runtime.h>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/probe.hpp"

namespace assay::cuda {

__global__ void nothing_kernel() {}

__device__ void add_own_element(const SumOperands& operands) {
  const std::int64_t block =
      blockIdx.x + std::int64_t{gridDim.x} * (blockIdx.y + std::int64_t{gridDim.y} * blockIdx.z);
  const std::int64_t in_block =
      threadIdx.x +
      std::int64_t{blockDim.x} * (threadIdx.y + std::int64_t{blockDim.y} * threadIdx.z);
  const std::int64_t threads = std::int64_t{blockDim.x} * blockDim.y * blockDim.z;
  const std::int64_t i = block * threads + in_block;
  if (i < operands.count) operands.sum[i] = operands.a[i] + operands.b[i];
  atomicAdd(operands.threads, 1u);
}

__global__ void __launch_bounds__(1024) sum_kernel(SumOperands operands) {
  add_own_element(operands);
}

/// Uses so many registers that a multiprocessor (64 K registers) runs it only in small blocks.
/// `volatile` forbids reordering, so all values that are read stay alive until the first write.
__global__ void __maxnreg__(255) wide_sum_kernel(SumOperands operands) {
  constexpr int kAlive = 192;
  volatile float* const first = operands.sum;
  float read[kAlive];
#pragma unroll
  for (int i = 0; i < kAlive; ++i) read[i] = first[0];
#pragma unroll
  for (int i = kAlive; i > 0; --i) first[0] = read[i - 1];
  add_own_element(operands);
}

namespace {

constexpr int kRegistersOfFullBlock = 64;

}  // namespace

cudaError_t launch_nothing(cudaStream_t stream) {
  void* none[] = {nullptr};
  return cudaLaunchKernel(nothing_kernel, dim3(1), dim3(1), none, 0, stream);
}

cudaError_t launch_sum(const SumOperands& operands, const SumShape& shape, cudaStream_t stream) {
  void* arguments[] = {const_cast<SumOperands*>(&operands), nullptr};
  auto* const kernel = shape.registers > kRegistersOfFullBlock ? wide_sum_kernel : sum_kernel;
  return cudaLaunchKernel(kernel, shape.grid, shape.block, arguments, shape.shared_bytes, stream);
}

template <int kBytes>
struct ArgumentWords {
  static constexpr int kCount = (kBytes - int{sizeof(std::int32_t*)}) / 4;
  std::int32_t words[kCount];
};

__global__ void empty_kernel() {}

__global__ void count_kernel(std::int32_t* counter) { ++*counter; }

template <int kBytes>
__global__ void count_by_last_word_kernel(ArgumentWords<kBytes> arguments, std::int32_t* counter) {
  *counter += arguments.words[ArgumentWords<kBytes>::kCount - 1];
}

namespace {

constexpr LaunchShape one_thread() { return {.grid = dim3(1), .block = dim3(1)}; }

template <int kBytes>
void launch_counting(std::int32_t* counter) {
  static const ArgumentWords<kBytes> arguments = [] {
    ArgumentWords<kBytes> made{};
    made.words[ArgumentWords<kBytes>::kCount - 1] = 1;
    return made;
  }();
  launch(count_by_last_word_kernel<kBytes>, one_thread(), arguments, counter);
}

}  // namespace

bool launch_with_arguments(int bytes, std::int32_t* counter) {
  switch (bytes) {
    case kArgumentBytes[0]:
      launch(empty_kernel, one_thread());
      return true;
    case kArgumentBytes[1]:
      launch(count_kernel, one_thread(), counter);
      return true;
    case kArgumentBytes[2]:
      launch_counting<kArgumentBytes[2]>(counter);
      return true;
    case kArgumentBytes[3]:
      launch_counting<kArgumentBytes[3]>(counter);
      return true;
    case kArgumentBytes[4]:
      launch_counting<kArgumentBytes[4]>(counter);
      return true;
    default:
      return false;
  }
}

}  // namespace assay::cuda
