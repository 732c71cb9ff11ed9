// The table of an operator for one call: which kernel a slot has, which keys fall through, and
// PyTorch's stored tables.
#pragma once

#include <memory>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

// The precedence rule that selects the kernel of a slot; evaluated at each call.

/// Evaluates DSP-501. `key` is Undefined, a plain key, or a runtime key.
TableEntry entry_by_rule(const KeyLayout& layout, const OperatorState& op,
                         const Fallbacks& fallbacks, DispatchKey key);

/// DSP-503: returns whether a composite kernel for this autograd key would hide a backend kernel.
bool has_backend_kernel(const KeyLayout& layout, const OperatorState& op, DispatchKey key);

/// Returns whether tensors with this backend key use AutogradOther.
bool is_autograd_other_backend(const KeyLayout& layout, DispatchKey key);

struct Table {
  const KeyLayout& layout;
  OperatorStatePtr op;
  std::shared_ptr<const Fallbacks> fallbacks;

  /// The live entry of a slot: by rule, or in compat mode as PyTorch's updates left it (DSP-509).
  TableEntry entry(DispatchKey key) const;
};

/// The components of a call's key set (DSP-208).
struct CallKeys {
  KeySet arguments;  ///< the union over all arguments
  KeySet included;   ///< the thread's
  KeySet excluded;
};

/// The set for the kernel: ((arguments | included) - excluded) & mask (DSP-208, DSP-513).
KeySet effective_keys(const Table& table, const CallKeys& keys);

// PyTorch's stored tables, which some registrations fail to update.

/// Computes all slots, as for a new operator.
void fill_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks);

/// Updates the slots that PyTorch updates after a change at `changed` (DSP-509). It omits autograd
/// slots that composite, sparse, quantized or nested kernels may affect.
void refresh_stale_table(const KeyLayout& layout, OperatorState& op, const Fallbacks& fallbacks,
                         DispatchKey changed);

}  // namespace assay::reference
