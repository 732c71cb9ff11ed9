// Which kernel reduces what.
#include "cuda_impl/kernels/reduction.cuh"

namespace assay::cuda {

void launch_reduction(const ReductionTask& task) {
  switch (task.dtype) {
    case Dtype::kFloat16:
      return reduce_all_float16(task);
    case Dtype::kBFloat16:
      return reduce_all_bfloat16(task);
    case Dtype::kFloat32:
      return reduce_all_float32(task);
    case Dtype::kFloat64:
      return reduce_all_float64(task);
    default:
      return reduce_all_int64(task);
  }
}

}  // namespace assay::cuda
