// Conversions from other floating types to float32 and float64.
#include "cuda_impl/kernels/cast/cast_function.cuh"

namespace assay::cuda {
namespace {

template <typename To, typename OtherWide>
void launch_to(const CastTask& task) {
  switch (task.from) {
    case Dtype::kFloat16:
      return launch_cast_of<To, Half>(task);
    case Dtype::kBFloat16:
      return launch_cast_of<To, BFloat16>(task);
    default:
      return launch_cast_of<To, OtherWide>(task);
  }
}

}  // namespace

void launch_cast_to_wide(const CastTask& task) {
  if (task.to == Dtype::kFloat32) return launch_to<float, double>(task);
  launch_to<double, float>(task);
}

}  // namespace assay::cuda
