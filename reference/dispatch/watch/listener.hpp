// Listeners: told when an operator gets or loses its schema.
#pragma once

#include <functional>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

/// Called while a registration is under way: what is looked up inside is found, what is registered
/// inside is refused (DSP-805, DSP-806). Either function may be empty.
struct Listener {
  std::function<void(const OperatorHandle&)> added;
  std::function<void(const OperatorHandle&)> removed;
};

}  // namespace assay::reference
