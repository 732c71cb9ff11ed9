// Dumps of an operator's registrations and of the resulting table, and the errors of calls that
// cannot run a kernel.
#pragma once

#include <string>

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// Raises `not_implemented` if the entry is empty (DSP-702, DSP-703). `keys` is the key set of the
/// call.
void expect_valid(const Table& table, const TableEntry& entry, DispatchKey key, KeySet keys);
/// Raises `internal` for an ambiguous entry (DSP-504) and for a fallthrough (DSP-516).
void expect_runnable(const Table& table, const TableEntry& entry, DispatchKey key);

/// Raises `internal` if a live entry differs from the rule (DSP-509).
void check_invariants(const Table& table);

/// DSP-705.
std::string dump_state(const KeyLayout& layout, const OperatorState& op);
/// Dumps the entries by rule, even if the live table differs (DSP-706).
std::string dump_table(const Table& table);

}  // namespace assay::reference
