// Implements the dumps (DSP-705, DSP-706), and raises the errors of calls without a kernel.
#include "reference/dispatch/watch/dump.hpp"

#include <cinttypes>
#include <cstdio>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {

// Errors of calls without a kernel.

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

// Dumps.

namespace {

/// PyTorch's order of keys: plain keys, then per-backend keys, then aliases.
int rank_of(KeyKind kind) {
  if (kind == KeyKind::kAlias) return 2;
  return kind == KeyKind::kRuntime ? 1 : 0;
}

std::string kernel_line(const std::string& key, const Registered& kernel) {
  const bool is_typed = kernel.kernel.is_typed();
  return key + ": " + kernel.debug +
         " :: " + (kernel.inferred ? to_text(*kernel.inferred) : "(none)") + " [ " +
         (kernel.kernel.is_fallthrough() ? "fallthrough " : "") + "boxed " +
         (is_typed ? "unboxed " : "") + "]\n";
}

std::string kernel_lines(DispatchKey key, const std::vector<RegisteredPtr>& kernels) {
  std::string text;
  std::vector<RegisteredPtr> listed = kernels;
  for (const RegisteredPtr& kernel : listed) {
    const std::string inactive = kernel == kernels.front() ? "" : " (inactive)";
    text += kernel_line(name_of(key) + (is_alias(key) ? "[alias]" : "") + inactive, *kernel);
  }
  return text;
}

/// The position of a key among those of its kind.
int place_of(const KeyLayout& layout, DispatchKey key) {
  return layout.slot_of(key).value_or(static_cast<int>(key.functionality));
}

}  // namespace

std::string dump_state(const KeyLayout& layout, const OperatorState& op) {
  std::string text = "name: " + to_text(op.name) + "\n";
  if (op.has_schema()) {
    text += "schema: " + to_text(op.definition->schema) + "\ndebug: " + op.definition->debug +
            "\nalias analysis kind: " + std::string(name_of(op.definition->alias_kind)) + "\n";
  } else {
    text += "schema: (none)\n";
  }
  std::map<std::pair<int, int>, std::string> lines;
  for (const auto& [key, kernels] : op.kernels) {
    lines[{rank_of(layout.kind_of(key)), place_of(layout, key)}] = kernel_lines(key, kernels);
  }
  for (const auto& [place, line] : lines) text += line;
  return text;
}

std::string dump_table(const Table& table) {
  std::string text;
  for (int slot = 0; slot < table.layout.slots(); ++slot) {
    const DispatchKey key = table.layout.key_at(slot);
    TableEntry entry = entry_by_rule(table.layout, *table.op, *table.fallbacks, key);
    if (!entry.is_valid()) continue;
    const std::string debug = entry.kernel ? entry.kernel->debug : "ambiguous_autogradother";
    text += name_of(key) + ": " + (entry.is_fallthrough() ? "fallthrough " : "") + debug + " [" +
            std::string(name_of(entry.provenance)) + "]\n";
  }
  return text;
}

}  // namespace assay::reference
