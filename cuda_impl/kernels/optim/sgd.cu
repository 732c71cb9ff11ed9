// Kernels and host loops of the SGD step.
#include "cuda_impl/kernels/optim/optimizer_step.cuh"
#include "cuda_impl/kernels/optim/sgd.cuh"

namespace assay::cuda {
namespace {

template <typename Real>
void step_typed(std::span<const SgdRow> rows, const SgdRule& rule, const StepPlace& place) {
  if (rule.settings.arithmetic == StepArithmetic::kFused) {
    step_rows(FusedSgd<Real>{rule}, rows, place);
  } else {
    step_rows(StepwiseSgd<Real>{rule}, rows, place);
  }
}

}  // namespace

void step_sgd(std::span<const SgdRow> rows, const SgdSettings& settings,
              const ScalerPointers& from_scaler, const StepPlace& place) {
  const SgdRule rule{settings, from_scaler};
  for_step_type(place.dtype, [&]<typename Real>(Real) { step_typed<Real>(rows, rule, place); });
}

}  // namespace assay::cuda
