// One row of elements, added up by CUB.
#pragma once

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/reduction/reduction.cuh"

namespace assay::cuda {

/// Few instructions, because CUB repeats them for each element that a thread takes.
template <typename T>
struct Term {
  bool is_square;

  __host__ __device__ WideOf<T> operator()(T element) const {
    const auto value = convert<WideOf<T>>(element);
    return is_square ? value * value : value;
  }
};

/// Counts are 64 bits wide: rows may have more than 2^31 elements.
template <typename T>
void sum_all(const ReductionTask& task) {
  using Wide = WideOf<T>;
  std::size_t scratch_bytes = 0;
  const auto sum = [&](void* scratch) {
    cuda_check(cub::DeviceReduce::TransformReduce(
        scratch, scratch_bytes, static_cast<const T*>(task.elements),
        static_cast<Wide*>(task.results), task.count, ::cuda::std::plus<Wide>{},
        Term<T>{task.each == Each::kSquare}, Wide{0}, current_stream()));
  };
  sum(nullptr);
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  const Storage scratch(cuda_device(device), scratch_bytes);
  sum(scratch.data());
  ++counters().launches;
}

}  // namespace assay::cuda
