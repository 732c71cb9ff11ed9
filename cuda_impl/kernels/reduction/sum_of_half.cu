// Sums of the half types.
#include "cuda_impl/kernels/reduction/sum_all.cuh"

namespace assay::cuda {

void launch_sum_of_half(const ReductionTask& task) {
  if (task.dtype == Dtype::kFloat16) return sum_all<Half>(task);
  sum_all<Brain>(task);
}

}  // namespace assay::cuda
