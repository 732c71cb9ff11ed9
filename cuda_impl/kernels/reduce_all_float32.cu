// Rows of float32.
#include "cuda_impl/kernels/reduce_all.cuh"

namespace assay::cuda {

void reduce_all_float32(const ReductionTask& task) { reduce_all<float>(task); }

}  // namespace assay::cuda
