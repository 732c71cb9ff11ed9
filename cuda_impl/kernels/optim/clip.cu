// Gradient clipping: its arithmetic, its kernels and its loops on the host.

#include "cuda_impl/kernels/optim/arithmetic.cuh"
#include "cuda_impl/kernels/optim/optimizer_step.cuh"
#include "cuda_impl/kernels/optim/steps.hpp"

namespace assay::cuda {

template <typename Real>
__host__ __device__ double clip_factor(Real norm, double max_norm) {
  using W = Wide<Real>;
  const W below = rounded<Real>(static_cast<W>(norm) + static_cast<W>(1e-6));
  // PyTorch divides a number by a tensor as reciprocal times number.
  const W inverse = rounded<Real>(W(1) / below);
  const W factor = rounded<Real>(inverse * static_cast<W>(max_norm));
  return static_cast<double>(factor > W(1) ? W(1) : factor);
}

template <typename Element>
struct ScaleRule {
  using Real = Element;
  using W = Wide<Real>;
  static constexpr int kElementLists = 1;
  static constexpr int kLists = 1;
  struct Facts {
    bool runs;
    W factor;
  };

  const double* factor;

  __host__ __device__ Facts facts(void* const*) const {
    return {true, rounded<Real>(static_cast<W>(*factor))};
  }
  __host__ __device__ void finish(void* const*) const {}
  __host__ __device__ bool writes(int) const { return true; }
  __host__ __device__ void operator()(Real (&values)[1], const Facts& facts) const {
    values[0] = static_cast<Real>(static_cast<W>(values[0]) * facts.factor);
  }
};

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
