// The kernels at autocast keys (CAST-3xx, CAST-4xx).
#pragma once

#include <string>

#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/state.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

struct WrapperRule {
  CastPolicy policy;
  CastDevice device;
  /// The operator to call with the mapped arguments; empty for the wrapped operator.
  std::string target;
};

/// Casts by the policy and calls the target through the dispatcher, excluding the wrapper's key.
Kernel autocast_wrapper(WrapperRule rule);

/// The target of `fp32_append_dtype` for an operator (CAST-406); empty for other operators.
std::string_view append_target(std::string_view op);

/// Registers wrappers for all operators in the release's lists, for all devices.
void add_autocast(Dispatcher& dispatcher);

}  // namespace assay::reference
