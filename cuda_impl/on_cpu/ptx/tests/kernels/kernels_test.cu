// Kernels as programs have them, for each way in which the compiler writes PTX. Their names are
// C's.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "cuda_impl/on_cpu/ptx/tests/kernels/table.hpp"

using assay::cuda::on_cpu::testing::Table;

__constant__ float factors[4] = {1.0f, 2.0f, 0.5f, -3.0f};
__device__ unsigned finished_blocks = 0;

template <typename Real>
__device__ void sum_block(const Real* values, Real* sums) {
  using Sum = cub::BlockReduce<Real, 128>;
  __shared__ typename Sum::TempStorage scratch;
  const Real sum = Sum(scratch).Sum(values[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__device__ __noinline__ float polynomial(float x, int degree) {
  float sum = 0.0f;
  for (int i = 0; i < degree; ++i) sum = sum * x + factors[i % 4];
  return sum;
}

extern "C" {

__global__ void __launch_bounds__(128) block_sum_float(const float* values, float* sums) {
  sum_block(values, sums);
}
__global__ void __launch_bounds__(128) block_sum_int(const int* values, int* sums) {
  sum_block(values, sums);
}
__global__ void __launch_bounds__(128) block_sum_double(const double* values, double* sums) {
  sum_block(values, sums);
}

__global__ void block_scan(const int* values, int* prefixes) {
  using Scan = cub::BlockScan<int, 128>;
  __shared__ typename Scan::TempStorage scratch;
  int value = values[threadIdx.x];
  Scan(scratch).InclusiveSum(value, value);
  prefixes[threadIdx.x] = value;
}

__global__ void warp_votes(const int* values, int* out) {
  const int value = values[threadIdx.x];
  int sum = value;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  const unsigned odd = __ballot_sync(~0u, value % 2 != 0);
  const int before = __popc(odd & ((1u << threadIdx.x % 32) - 1));
  out[threadIdx.x] = sum * 1000 + before * 10 + (__any_sync(~0u, value > 60) ? 1 : 0);
}

/// Uses static and dynamic shared memory, with barriers.
__global__ void turn_around(int* values) {
  extern __shared__ int held[];
  __shared__ int last[1];
  held[threadIdx.x] = values[threadIdx.x];
  if (threadIdx.x == blockDim.x - 1) last[0] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = held[blockDim.x - 1 - threadIdx.x] + last[0];
}

__global__ void multiply_by_four(float4* values, const float4* factors_of) {
  const float4 x = values[threadIdx.x];
  const float4 y = factors_of[threadIdx.x];
  values[threadIdx.x] = {x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w};
}

__global__ void halves(const __half* a, const __half* b, __half* out, float* wide) {
  const unsigned i = threadIdx.x;
  out[i] = a[i] < b[i] ? a[i] * b[i] + a[i] : __hfma(a[i], b[i], b[i]);
  wide[i] = __half2float(a[i]) / __half2float(b[i]);
}

__global__ void brain_halves(const float* a, __nv_bfloat16* out, float* wide) {
  out[threadIdx.x] = __float2bfloat16(a[threadIdx.x] * 3.0f);
  wide[threadIdx.x] = __bfloat162float(out[threadIdx.x]) + 1.0f;
}

__global__ void atomics(int* counts, float* sum, double* precise_sum, unsigned long long* largest,
                        int* order) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&counts[i % 4], 1);
  atomicAdd(sum, 0.5f);
  atomicAdd(precise_sum, 0.25);
  atomicMax(largest, static_cast<unsigned long long>(i) << 33);
  int seen = *static_cast<volatile int*>(order);
  int wanted;
  do {
    wanted = seen;
    seen = atomicCAS(order, wanted, wanted ^ i);
  } while (seen != wanted);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1)
    counts[4] += 7;
}

__global__ void choose(const int* codes, int* out) {
  const int code = codes[threadIdx.x];
  int result = code;
  switch (code) {
    case 0:
      result = __clz(threadIdx.x);
      break;
    case 1:
      result = __brev(threadIdx.x);
      break;
    case 2:
      result /= static_cast<int>(threadIdx.x) - 25;
      break;
    case 3:
      result = static_cast<int>(threadIdx.x) % 7;
      break;
    case 4:
      result = __ffs(threadIdx.x);
      break;
    case 5:
      result = static_cast<int>(__byte_perm(threadIdx.x, 0x01020304, 0x4506));
      break;
    case 6:
      result = static_cast<int>(__umulhi(threadIdx.x * 0x10000001u, 0x12345678u));
      break;
    default:
      result = -code;
  }
  out[threadIdx.x] = result;
}

__global__ void look_up(const __grid_constant__ Table table, int* out) {
  const Table::Row& row = table.rows[threadIdx.x % Table::kRows];
  out[threadIdx.x] = row.values[threadIdx.x % 3] + table.bias;
}

__global__ void call_function(const float* values, float* out) {
  out[threadIdx.x] = polynomial(values[threadIdx.x], static_cast<int>(threadIdx.x % 9));
}

/// An array that is indexed by data lives in local memory.
__global__ void count_digits(const unsigned* numbers, unsigned* out) {
  unsigned counts[10] = {};
  for (unsigned n = numbers[threadIdx.x]; n != 0; n /= 10) ++counts[n % 10];
  unsigned best = 0;
  for (unsigned digit = 1; digit < 10; ++digit) {
    if (counts[digit] > counts[best]) best = digit;
  }
  out[threadIdx.x] = best;
}

__global__ void adam(float* value, float* mean, float* square, const float* grad, float rate) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  mean[i] = 0.9f * mean[i] + 0.1f * grad[i];
  square[i] = 0.999f * square[i] + 0.001f * grad[i] * grad[i];
  value[i] -= rate * mean[i] / (sqrtf(square[i]) + 1e-8f);
}

__global__ void read_between(const char* bytes, int* out) {
  *out = *reinterpret_cast<const int*>(bytes + 2);
}

}  // extern "C"
