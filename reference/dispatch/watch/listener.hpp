// Listeners for operators that gain or lose a schema.
#pragma once

#include <functional>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

/// Called during a registration: lookups in the callback work, registrations in it are rejected
/// (DSP-805, DSP-806). Either function may be null.
struct Listener {
  std::function<void(const OperatorHandle&)> added;
  std::function<void(const OperatorHandle&)> removed;
};

}  // namespace assay::reference
