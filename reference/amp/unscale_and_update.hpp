// Unscale and update as one call: runs the two operators in sequence.
#pragma once

#include "reference/amp/unscale.hpp"
#include "reference/amp/update_scale.hpp"

namespace assay::reference {

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< the update reads its flag
  Tensor scale;
  Tensor growth_tracker;
};

/// AMP-601.
void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors);

}  // namespace assay::reference
