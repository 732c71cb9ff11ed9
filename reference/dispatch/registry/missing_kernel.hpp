// What is said when a call finds nothing to run.
#pragma once

#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

/// Raises `not_implemented` where there is nothing (DSP-702, DSP-703). `keys` is the set that the
/// call goes by.
void expect_valid(const Table& table, const TableEntry& entry, DispatchKey key, KeySet keys);
/// Raises `internal` at an ambiguity (DSP-504) and at a fallthrough (DSP-516).
void expect_runnable(const Table& table, const TableEntry& entry, DispatchKey key);

/// Raises `internal` unless every live entry is what the rule says (DSP-509).
void check_invariants(const Table& table);

}  // namespace assay::reference
