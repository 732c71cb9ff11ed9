// Rows of float64.
#include "cuda_impl/kernels/reduce_all.cuh"

namespace assay::cuda {

void reduce_all_float64(const ReductionTask& task) { reduce_all<double>(task); }

}  // namespace assay::cuda
