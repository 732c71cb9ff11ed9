// Elementwise arithmetic for any geometry: integers and bools.
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/map.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {

void launch_strided_whole(const ElementwiseTask& task) {
  visit_whole(task.dtype, [&](auto tag) {
    launch_map(task.addresses, task.geometry, Elementwise<Tagged<decltype(tag)>>(task));
  });
}

}  // namespace assay::cuda
