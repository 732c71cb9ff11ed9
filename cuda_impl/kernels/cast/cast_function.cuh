// The function that converts one element to another type, for `launch_map`.
#pragma once

#include "cuda_impl/kernels/cast/cast.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/map.cuh"

namespace assay::cuda {

template <typename To, typename From>
struct Cast {
  using In = From;
  using Out = To;

  __device__ To operator()(From value, From) const { return convert<To>(value); }
};

template <typename To, typename From>
void launch_cast_of(const CastTask& task) {
  launch_map(task.addresses, task.geometry, Cast<To, From>{});
}

}  // namespace assay::cuda
