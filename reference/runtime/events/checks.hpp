// What must hold before an event is recorded, or the time between two is asked; each raises unless
// it does.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

/// The index as messages have it (EVT-005).
std::string index_text(const Contract& contract, int index);

/// An event stays on the device that it was recorded on, -1 for none yet (EVT-005).
void check_event_index(const Contract& contract, int before, int now);

void check_timing(bool holds);
void check_recorded(bool holds, ErrorKind kind);
/// In strict mode (EVT-020).
void check_one_device(const Contract& contract, int from, int to);
void check_complete(bool holds);

}  // namespace assay::reference
