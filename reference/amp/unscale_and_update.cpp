// Unscale and update in one call: the two operators, one after the other.
#include "reference/amp/unscale_and_update.hpp"

#include <algorithm>

#include "reference/amp/operators.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

bool has_elements(const UnscaleTensors& tensors) {
  return std::ranges::any_of(tensors.grads, [](const Tensor& grad) { return grad.numel() > 0; });
}

/// All but the last gradient, for an update that does not wait for that one.
UnscaleTensors without_last(UnscaleTensors tensors) {
  if (!tensors.grads.empty()) tensors.grads.pop_back();
  return tensors;
}

}  // namespace

void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors) {
  const UnscaleTensors& unscale = tensors.unscale;
  const UpdateScaleTensors update = {tensors.scale, tensors.growth_tracker, unscale.found_inf};
  if (fault("unscale_and_update_updates_first")) amp_update_scale_(runtime, update, factors);
  if (fault("unscale_and_update_misses_last_tensor")) {
    amp_unscale_(runtime, without_last(unscale));
    amp_update_scale_(runtime, update, factors);
    if (!unscale.grads.empty()) {
      amp_unscale_(runtime, {{unscale.grads.back()}, unscale.found_inf, unscale.inv_scale});
    }
    return;
  }
  amp_unscale_(runtime, unscale);
  if (fault("unscale_and_update_updates_first")) return;
  if (fault("unscale_and_update_only_unscales")) return;
  if (fault("unscale_and_update_needs_elements") && !has_elements(unscale)) return;
  if (fault("unscale_and_update_reads_on_the_host")) ++runtime.counters().host_reads;
  if (fault("unscale_and_update_launches_more")) ++runtime.counters().launches;
  amp_update_scale_(runtime, update, factors);
}

}  // namespace assay::reference
