// Conversions from other floating types to float16 and bfloat16.
#include "cuda_impl/kernels/cast/cast_function.cuh"

namespace assay::cuda {
namespace {

template <typename To, typename OtherHalf>
void launch_to(const CastTask& task) {
  switch (task.from) {
    case Dtype::kFloat64:
      return launch_cast_of<To, double>(task);
    case Dtype::kFloat32:
      return launch_cast_of<To, float>(task);
    default:
      return launch_cast_of<To, OtherHalf>(task);
  }
}

}  // namespace

void launch_cast_to_half(const CastTask& task) {
  if (task.to == Dtype::kFloat16) return launch_to<Half, BFloat16>(task);
  launch_to<BFloat16, Half>(task);
}

}  // namespace assay::cuda
