// The key set of a call after the operator's fallthrough keys are masked out.
#pragma once

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// The components of a call's key set (DSP-208).
struct CallKeys {
  KeySet arguments;  ///< the union over all arguments
  KeySet included;   ///< the thread's
  KeySet excluded;
};

/// The set for the kernel: ((arguments | included) - excluded) & mask (DSP-208, DSP-513).
KeySet effective_keys(const Table& table, const CallKeys& keys);

}  // namespace assay::reference
