// Sums of contiguous tensors of floating types.
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/map.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {

void launch_sum_of_rows(const ElementwiseTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    using Function = Only<Tagged<decltype(tag)>, Arithmetic::kSum>;
    launch_map(task.addresses, task.geometry, Function(task));
  });
}

}  // namespace assay::cuda
