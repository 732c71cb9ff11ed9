// The table of an operator for one call: a snapshot
// of its registrations and of all fallbacks.
#pragma once

#include <memory>

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

struct Table {
  const KeyLayout& layout;
  OperatorStatePtr op;
  std::shared_ptr<const Fallbacks> fallbacks;

  /// The live entry of a slot: by rule, or in compat mode as PyTorch's updates left it (DSP-509).
  TableEntry entry(DispatchKey key) const;
};

}  // namespace assay::reference
