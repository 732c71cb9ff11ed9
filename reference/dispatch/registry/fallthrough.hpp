// What a call's set of keys is after the keys that the operator falls through for are gone.
#pragma once

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// What the set of a call is made of (DSP-208).
struct CallKeys {
  KeySet arguments;  ///< all arguments' sets united
  KeySet included;   ///< the thread's
  KeySet excluded;
};

/// The set that the kernel gets: ((arguments | included) - excluded) & mask (DSP-208, DSP-513).
KeySet effective_keys(const Table& table, const CallKeys& keys);

}  // namespace assay::reference
