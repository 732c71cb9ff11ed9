// Raises the errors of calls without a kernel.
#include "reference/dispatch/registry/missing_kernel.hpp"

#include <cinttypes>
#include <cstdio>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/precedence.hpp"
#include "reference/dispatch/watch/dump.hpp"

namespace assay::reference {
namespace {

std::string hexadecimal(KeySet keys) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "0x%016" PRIx64, keys.bits);
  return text;
}

/// Lists the valid slots, except Undefined, in slot order.
std::string available(const Table& table) {
  std::string text;
  for (int slot = 1; slot < table.layout.slots(); ++slot) {
    const DispatchKey key = table.layout.key_at(slot);
    if (!table.entry(key).is_valid()) continue;
    text += (text.empty() ? "" : ", ") + name_of(key);
  }
  return "[" + text + "]";
}

[[noreturn]] void report_missing(const Table& table, DispatchKey key, KeySet keys) {
  check_invariants(table);  // the only place where PyTorch detects stale tables
  const std::string name = to_text(table.op->name);
  const std::string entries = "\n\n" + dump_table(table);
  if (key == Functionality::kUndefined) {
    throw Error(ErrorKind::kNotImplemented,
                "There were no tensor arguments to this function (e.g., you passed an empty list "
                "of Tensors), but no fallback function is registered for schema " +
                    name + ". Available functions are " + available(table) +
                    ". The set of keys was " + hexadecimal(keys) + entries);
  }
  throw Error(ErrorKind::kNotImplemented,
              "Could not run '" + name + "' with arguments from the '" + name_of(key) +
                  "' backend. '" + name +
                  "' is only available for these backends: " + available(table) + "." + entries);
}

}  // namespace

void expect_valid(const Table& table, const TableEntry& entry, DispatchKey key, KeySet keys) {
  if (!entry.is_valid()) report_missing(table, key, keys);
}

void expect_runnable(const Table& table, const TableEntry& entry, DispatchKey key) {
  check(entry.provenance != Provenance::kAmbiguousAutogradOther, ErrorKind::kInternal, [&] {
    return to_text(table.op->name) +
           " has kernels registered to both CompositeImplicitAutograd and a backend mapped to "
           "AutogradOther. This makes the backend kernel unreachable";
  });
  check(!entry.is_fallthrough(), ErrorKind::kInternal, [&] {
    return "fallthrough_kernel of " + to_text(table.op->name) + " at " + name_of(key) +
           " was executed but it should have been short-circuited by the dispatcher";
  });
}

void check_invariants(const Table& table) {
  for (int slot = 0; slot < table.layout.slots(); ++slot) {
    const DispatchKey key = table.layout.key_at(slot);
    const TableEntry live = table.entry(key);
    const TableEntry ruled = entry_by_rule(table.layout, *table.op, *table.fallbacks, key);
    check(live.kernel == ruled.kernel && live.provenance == ruled.provenance, ErrorKind::kInternal,
          [&] {
            return to_text(table.op->name) + ": the entry of " + name_of(key) + " is " +
                   std::string(name_of(live.provenance)) + ", but should be " +
                   std::string(name_of(ruled.provenance));
          });
  }
}

}  // namespace assay::reference
