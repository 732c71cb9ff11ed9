// Rows of float16.
#include "cuda_impl/kernels/reduce_all.cuh"

namespace assay::cuda {

void reduce_all_float16(const ReductionTask& task) { reduce_all<Half>(task); }

}  // namespace assay::cuda
