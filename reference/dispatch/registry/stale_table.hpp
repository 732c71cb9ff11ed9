// Emulates PyTorch's stored tables, which some registrations fail to update.
#pragma once

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

/// Computes all slots, as for a new operator.
void fill_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks);

/// Updates the slots that PyTorch updates after a change at `changed` (DSP-509). It omits autograd
/// slots that composite, sparse, quantized or nested kernels may affect.
void refresh_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks,
                         DispatchKey changed);

}  // namespace assay::reference
