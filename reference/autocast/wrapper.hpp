// Wrappers: the kernels at autocast's keys (CAST-3xx, CAST-4xx).
#pragma once

#include <string>

#include "reference/autocast/policy.hpp"
#include "reference/autocast/state.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct WrapperRule {
  CastPolicy policy;
  CastDevice device;
  /// The operator that is called with the mapped arguments; empty for the wrapped one itself.
  std::string target;
};

/// Casts by the policy and calls the target through the dispatcher, its own key switched off.
Kernel autocast_wrapper(WrapperRule rule);

/// Where `fp32_append_dtype` sends an operator (CAST-406); empty for any other.
std::string_view append_target(std::string_view op);

/// Wrappers for every operator of the release's lists, on every device.
void add_autocast(Dispatcher& dispatcher);

}  // namespace assay::reference
