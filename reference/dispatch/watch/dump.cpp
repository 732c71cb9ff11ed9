// Implements the dumps (DSP-705, DSP-706).
#include "reference/dispatch/watch/dump.hpp"

#include "reference/dispatch/registry/precedence.hpp"

namespace assay::reference {
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
