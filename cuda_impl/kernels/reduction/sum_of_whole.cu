// Sums of int64.
#include "cuda_impl/kernels/reduction/sum_all.cuh"

namespace assay::cuda {

void launch_sum_of_whole(const ReductionTask& task) { sum_all<std::int64_t>(task); }

}  // namespace assay::cuda
