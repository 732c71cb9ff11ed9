// Kernels and host loops of gradient clipping.
#include "cuda_impl/kernels/optim/clip.cuh"
#include "cuda_impl/kernels/optim/optimizer_step.cuh"

namespace assay::cuda {

template <typename Real>
__global__ void clip_factor_kernel(const Real* norm, double max_norm, double* factor) {
  *factor = clip_factor(*norm, max_norm);
}

void write_clip_factor(const void* norm, double max_norm, double* factor, const StepPlace& place) {
  for_step_type(place.dtype, [&]<typename Real>(Real) {
    const auto* typed = static_cast<const Real*>(norm);
    if (place.on_device) {
      launch(clip_factor_kernel<Real>, {.grid = 1, .block = 1}, typed, max_norm, factor);
    } else {
      *factor = clip_factor(*typed, max_norm);
    }
  });
}

void scale_rows(std::span<const StepRow<1>> rows, const double* factor, const StepPlace& place) {
  for_step_type(place.dtype,
                [&]<typename Real>(Real) { step_rows(ScaleRule<Real>{factor}, rows, place); });
}

}  // namespace assay::cuda
