// Runs the unscale and the update operators in sequence.
#include "reference/amp/unscale_and_update.hpp"

#include "reference/amp/operators.hpp"

namespace assay::reference {

void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors) {
  const UnscaleTensors& unscale = tensors.unscale;
  const UpdateScaleTensors update = {tensors.scale, tensors.growth_tracker, unscale.found_inf};
  amp_unscale_(runtime, unscale);
  amp_update_scale_(runtime, update, factors);
}

}  // namespace assay::reference
