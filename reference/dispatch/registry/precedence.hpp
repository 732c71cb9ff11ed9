// Which kernel a slot of an operator has: decided by rule, each time anew.
#pragma once

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

/// DSP-501, evaluated now. `key` is Undefined, a plain key, or a runtime key.
TableEntry entry_by_rule(const KeyLayout& layout, const OperatorState& op,
                         const Fallbacks& fallbacks, DispatchKey key);

/// DSP-503: would a composite kernel at that autograd key hide a backend's own?
bool has_backend_kernel(const KeyLayout& layout, const OperatorState& op, DispatchKey key);

/// Backends' keys whose tensors differentiate at AutogradOther.
bool is_autograd_other_backend(const KeyLayout& layout, DispatchKey key);

}  // namespace assay::reference
