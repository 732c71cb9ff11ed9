// Evaluates the slots of a table.
#include "reference/dispatch/registry/table.hpp"

#include "reference/dispatch/registry/precedence.hpp"

namespace assay::reference {

TableEntry Table::entry(DispatchKey key) const {
  const auto slot = layout.slot_of(key);
  if (!slot) return {};
  if (op->stale_table.empty()) return entry_by_rule(layout, *op, *fallbacks, key);
  return op->stale_table[static_cast<std::size_t>(*slot)];
}

}  // namespace assay::reference
