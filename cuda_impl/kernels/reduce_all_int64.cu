// Rows of int64.
#include "cuda_impl/kernels/reduce_all.cuh"

namespace assay::cuda {

void reduce_all_int64(const ReductionTask& task) { reduce_all<std::int64_t>(task); }

}  // namespace assay::cuda
