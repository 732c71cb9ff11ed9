// The precedence rule that selects the kernel of a slot; evaluated at each call.
#pragma once

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

/// Evaluates DSP-501. `key` is Undefined, a plain key, or a runtime key.
TableEntry entry_by_rule(const KeyLayout& layout, const OperatorState& op,
                         const Fallbacks& fallbacks, DispatchKey key);

/// DSP-503: returns whether a composite kernel for this autograd key would hide a backend kernel.
bool has_backend_kernel(const KeyLayout& layout, const OperatorState& op, DispatchKey key);

/// Returns whether tensors with this backend key use AutogradOther.
bool is_autograd_other_backend(const KeyLayout& layout, DispatchKey key);

}  // namespace assay::reference
