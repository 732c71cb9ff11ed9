// Checks of event operations; each
// raises if its condition does not hold.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

/// Formats an index for messages (EVT-005).
std::string index_text(const Contract& contract, int index);

/// An event must stay on the device of its first record; -1: not recorded yet (EVT-005).
void check_event_index(const Contract& contract, int before, int now);

void check_timing(bool holds);
void check_recorded(bool holds, ErrorKind kind);
/// Strict mode only (EVT-020).
void check_one_device(const Contract& contract, int from, int to);
void check_complete(bool holds);

}  // namespace assay::reference
