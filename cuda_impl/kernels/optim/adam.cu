// Kernels and host loops of the Adam step.
#include "cuda_impl/kernels/optim/adam.cuh"
#include "cuda_impl/kernels/optim/adam_on_host.hpp"
#include "cuda_impl/kernels/optim/optimizer_step.cuh"

namespace assay::cuda {
namespace {

template <typename Real>
void step_typed(std::span<const AdamRow> rows, const AdamRule& rule, const StepPlace& place) {
  if (rule.settings.arithmetic == StepArithmetic::kStepwise) {
    step_rows(StepwiseAdam<Real>{rule}, rows, place);
  } else if (!place.on_device) {
    step_on_host(HostFusedAdam<Real>{rule}, rows);
  } else if (rule.settings.keeps_doubles) {
    step_on_device(FusedAdam<Real, true>{rule}, rows, place.ticket);
  } else {
    step_on_device(FusedAdam<Real, false>{rule}, rows, place.ticket);
  }
}

}  // namespace

void step_adam(std::span<const AdamRow> rows, const AdamSettings& settings,
               const ScalerPointers& from_scaler, const StepPlace& place) {
  const AdamRule rule{settings, from_scaler};
  for_step_type(place.dtype, [&]<typename Real>(Real) { step_typed<Real>(rows, rule, place); });
}

}  // namespace assay::cuda
