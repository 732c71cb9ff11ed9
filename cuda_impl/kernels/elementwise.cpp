// Chooses the kernel for an elementwise operation.
#include "cuda_impl/kernels/elementwise.cuh"

namespace assay::cuda {

void launch_elementwise(const ElementwiseTask& task) {
  if (!facts(task.dtype).is_floating) return launch_strided_whole(task);
  if (are_rows(task.geometry)) {
    if (task.arithmetic == Arithmetic::kSum) return launch_sum_of_rows(task);
    if (task.arithmetic == Arithmetic::kProduct) return launch_product_of_rows(task);
  }
  launch_strided_floating(task);
}

}  // namespace assay::cuda
