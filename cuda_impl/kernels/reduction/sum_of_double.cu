// Sums of float64.
#include "cuda_impl/kernels/reduction/sum_all.cuh"

namespace assay::cuda {

void launch_sum_of_double(const ReductionTask& task) { sum_all<double>(task); }

}  // namespace assay::cuda
