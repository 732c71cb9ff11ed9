// Sums of float32.
#include "cuda_impl/kernels/reduction/sum_all.cuh"

namespace assay::cuda {

void launch_sum_of_single(const ReductionTask& task) { sum_all<float>(task); }

}  // namespace assay::cuda
