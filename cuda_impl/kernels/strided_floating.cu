// Elementwise arithmetic for any geometry: floating types.
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/map.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {

void launch_strided_floating(const ElementwiseTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    launch_map(task.addresses, task.geometry, Elementwise<Tagged<decltype(tag)>>(task));
  });
}

}  // namespace assay::cuda
