// Operators as text: what is registered, and what that makes of each slot.
#pragma once

#include <string>

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// DSP-705.
std::string dump_state(const KeyLayout& layout, const OperatorState& op);
/// By rule, whatever the live table says (DSP-706).
std::string dump_table(const Table& table);

}  // namespace assay::reference
