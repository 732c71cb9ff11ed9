// Unscale and update in one call: the two operators, one after the other.
#pragma once

#include "reference/amp/unscale.hpp"
#include "reference/amp/update_scale.hpp"

namespace assay::reference {

struct UnscaleAndUpdateTensors {
  UnscaleTensors unscale;  ///< whose flag the update reads
  Tensor scale;
  Tensor growth_tracker;
};

/// AMP-601.
void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors);

}  // namespace assay::reference
