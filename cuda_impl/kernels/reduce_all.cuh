// One row of elements, reduced by CUB.
#pragma once

#include <cub/device/device_reduce.cuh>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/reduction.cuh"

namespace assay::cuda {

/// Counts are 64 bits wide: rows may have more than 2^31 elements.
template <typename T>
void reduce_all(const ReductionTask& task) {
  using Wide = WideOf<T>;
  const Join<Wide> join{task.joined};
  std::size_t scratch_bytes = 0;
  const auto reduce = [&](void* scratch) {
    cuda_check(cub::DeviceReduce::TransformReduce(
        scratch, scratch_bytes, static_cast<const T*>(task.elements),
        static_cast<Wide*>(task.results), task.count, join, EachElement<T>{task.each},
        join.neutral(), current_stream()));
  };
  reduce(nullptr);
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  const Storage scratch(cuda_device(device), scratch_bytes);
  reduce(scratch.data());
  ++counters().launches;
}

}  // namespace assay::cuda
