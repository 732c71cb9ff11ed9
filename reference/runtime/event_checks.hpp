// What must hold before the time between two events can be asked; each raises unless it does.
#pragma once

#include "reference/core/contract.hpp"
#include "reference/core/error.hpp"

namespace assay::reference {

void check_timing(bool holds);
void check_recorded(bool holds, ErrorKind kind);
/// In strict mode (EVT-020).
void check_one_device(const Contract& contract, int from, int to);
void check_complete(bool holds);

}  // namespace assay::reference
