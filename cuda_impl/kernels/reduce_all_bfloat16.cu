// Rows of bfloat16.
#include "cuda_impl/kernels/reduce_all.cuh"

namespace assay::cuda {

void reduce_all_bfloat16(const ReductionTask& task) { reduce_all<Brain>(task); }

}  // namespace assay::cuda
