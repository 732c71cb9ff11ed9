// Chooses the kernel for a copy or conversion.
#include "cuda_impl/kernels/cast/cast.cuh"

namespace assay::cuda {
namespace {

bool is_floating_here(Dtype dtype) {
  return is_half(dtype) || dtype == Dtype::kFloat32 || dtype == Dtype::kFloat64;
}

}  // namespace

void launch_cast(const CastTask& task) {
  if (task.to == task.from) return launch_copy(task);
  if (!is_floating_here(task.to) || !is_floating_here(task.from)) return launch_cast_any(task);
  return is_half(task.to) ? launch_cast_to_half(task) : launch_cast_to_wide(task);
}

}  // namespace assay::cuda
