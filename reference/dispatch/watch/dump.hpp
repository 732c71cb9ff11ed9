// Dumps of an operator's registrations and of the resulting table.
#pragma once

#include <string>

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// DSP-705.
std::string dump_state(const KeyLayout& layout, const OperatorState& op);
/// Dumps the entries by rule, even if the live table differs (DSP-706).
std::string dump_table(const Table& table);

}  // namespace assay::reference
