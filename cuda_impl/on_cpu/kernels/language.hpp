// What CUDA's language gives a kernel, for a host's C++ compiler: every kernel file is compiled
// with this header in front of it. The threads of a block are fibers of the scheduler.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>  // the functions in the global namespace, overloaded for float

#include <atomic>
#include <concepts>
#include <type_traits>

#include "cuda_impl/on_cpu/kernels/launch.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

// CUDA's headers give these words a meaning for host compilers too, which kernels do not have here.
// A kernel's limits become a part of its symbol's name, where the simulated runtime finds them;
// only numbers do, so a bound that is written as a constant is not checked.
#undef __constant__
#undef __launch_bounds__
#undef __maxnreg__
#define __constant__
#define __launch_bounds__(threads, ...) __attribute__((abi_tag("launch_bounds_" #threads)))
#define __maxnreg__(registers) __attribute__((abi_tag("maxnreg_" #registers)))

#define threadIdx (::assay::cuda::on_cpu::language::thread_index())
#define blockIdx (::assay::cuda::on_cpu::language::block_index())
#define blockDim (::assay::cuda::on_cpu::language::block_size())
#define gridDim (::assay::cuda::on_cpu::language::grid_size())

namespace assay::cuda::on_cpu::language {

inline uint3 as_uint3(const Dim3& at) { return {at.x, at.y, at.z}; }
inline uint3 thread_index() { return as_uint3(place().thread_index); }
inline uint3 block_index() { return as_uint3(place().block_index); }
inline dim3 block_size() { return as_uint3(place().block); }
inline dim3 grid_size() { return as_uint3(place().grid); }

/// Replaces the value by `operation(value)`. Returns the old value.
template <typename T, typename Operation>
T atomically(T* at, const Operation& operation) {
  const std::atomic_ref place(*at);
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, operation(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace assay::cuda::on_cpu::language

inline void __syncthreads() { assay::cuda::on_cpu::block_barrier(false); }
inline int __syncthreads_or(int vote) { return assay::cuda::on_cpu::block_barrier(vote != 0).any; }
inline int __syncthreads_count(int vote) {
  return static_cast<int>(assay::cuda::on_cpu::block_barrier(vote != 0).count);
}
inline void __syncwarp(unsigned mask = 0xffffffff) {
  assay::cuda::on_cpu::warp_exchange(mask, 0, true);
}

/// A lane that does not take part has no value: the caller's own comes back.
inline int __shfl_xor_sync(unsigned mask, int value, int lanes) {
  const auto exchange =
      assay::cuda::on_cpu::warp_exchange(mask, static_cast<unsigned>(value), false);
  const unsigned from = assay::cuda::on_cpu::place().lane() ^ (static_cast<unsigned>(lanes) & 31);
  if ((exchange.lanes >> from & 1) == 0) return value;
  return static_cast<int>(exchange.deposits[from]);
}

inline void __threadfence() {
#ifdef __SANITIZE_THREAD__
  assay::cuda::on_cpu::memory_fence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// The variable of this type in the block's shared memory.
template <typename T>
T& __shared_variable() {
  static constexpr char kName = 0;
  static_assert(alignof(T) <= 16);
  return *reinterpret_cast<T*>(assay::cuda::on_cpu::shared_variable(&kName, sizeof(T)));
}
/// The dynamic shared memory of the launch.
template <typename T>
T* __dynamic_shared() {
  return reinterpret_cast<T*>(assay::cuda::on_cpu::shared_memory());
}

[[noreturn]] inline void __trap() { assay::cuda::on_cpu::kernel_fault("trap"); }

// Like CUDA's, these order no other accesses.
template <std::integral T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref(*at).fetch_add(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref(*at).fetch_or(value, std::memory_order_relaxed);
}
template <typename T>
T atomicExch(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref(*at).exchange(value, std::memory_order_relaxed);
}
/// After `last` comes 0.
inline unsigned atomicInc(unsigned* at, unsigned last) {
  return assay::cuda::on_cpu::language::atomically(
      at, [last](unsigned old) { return old >= last ? 0 : old + 1; });
}

inline float __frcp_rn(float value) { return 1.0f / value; }
