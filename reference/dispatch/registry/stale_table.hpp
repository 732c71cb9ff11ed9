// PyTorch keeps its tables, and updates too little of them: which slots, and what stays as it was.
#pragma once

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

/// Every slot, as when an operator is new.
void fill_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks);

/// The slots that PyTorch updates when something comes or goes at `changed` (DSP-509): autograd
/// slots that a composite, sparse, quantised or nested kernel may have changed are not among them.
void refresh_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks,
                         DispatchKey changed);

}  // namespace assay::reference
