// One operator's table as a call sees it: what is registered for it, and all fallbacks, at one
// moment.
#pragma once

#include <memory>

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

struct Table {
  const KeyLayout& layout;
  OperatorStatePtr op;
  std::shared_ptr<const Fallbacks> fallbacks;

  /// What is live at a slot: by rule, or, in compat, what PyTorch's updates made of it (DSP-509).
  TableEntry entry(DispatchKey key) const;
};

}  // namespace assay::reference
