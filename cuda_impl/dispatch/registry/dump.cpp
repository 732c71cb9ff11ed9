// Prints registrations and tables.
#include "cuda_impl/dispatch/registry/dump.hpp"

#include <map>
#include <utility>

namespace assay::cuda::dispatch {
namespace {

std::string form_text(const Kernel& kernel) {
  std::string text = "[ ";
  if (kernel.is_fallthrough()) text += "fallthrough ";
  return text + (kernel.is_typed() ? "boxed unboxed ]" : "boxed ]");
}

std::string schema_text(const Kernel& kernel) {
  return kernel.is_typed() ? kernel.signature->schema().text() : "(none)";
}

std::string kernel_lines(Key key, const std::vector<RegisteredPtr>& kernels) {
  std::string lines;
  const std::string name = name_of(key) + (key.is_alias() ? "[alias]" : "");
  for (const RegisteredPtr& one : kernels) {
    lines += name + (one == kernels.front() ? "" : " (inactive)") + ": " + one->debug +
             " :: " + schema_text(one->kernel) + " " + form_text(one->kernel) + "\n";
  }
  return lines;
}

/// Sort key: plain keys, then runtime keys by functionality, then aliases.
std::pair<int, unsigned> place_of(const Layout& layout, Key key) {
  if (key.is_alias()) return {2, static_cast<unsigned>(key.functionality)};
  const bool is_plain = layout.kind_of(key) == KeyKind::kPlain;
  return {is_plain ? 0 : 1, layout.slot_map().slot_of(layout.set_of(key))};
}

}  // namespace

std::string dump_state(const Layout& layout, const OperatorState& state) {
  std::string text = "name: " + state.name.text() + "\n";
  if (state.has_schema()) {
    const Definition& definition = *state.definition;
    text += "schema: " + definition.schema.text() + "\ndebug: " + definition.debug +
            "\nalias analysis kind: " + std::string(name_of(definition.alias_kind)) + "\n";
  } else {
    text += "schema: (none)\n";
  }
  std::map<std::pair<int, unsigned>, std::string> lines;
  for (const auto& [key, kernels] : state.kernels) {
    lines[place_of(layout, key)] = kernel_lines(key, kernels);
  }
  for (const auto& [place, line] : lines) text += line;
  return text;
}

std::string dump_table(const Table& table) {
  std::string text;
  const Precedence precedence(*table.layout, *table.state, *table.fallbacks);
  for (unsigned slot = 0; slot < static_cast<unsigned>(table.layout->slots()); ++slot) {
    const Chosen chosen = precedence.at(slot);
    if (!chosen.is_valid()) continue;
    const bool falls = chosen.registered != nullptr && chosen.registered->kernel.is_fallthrough();
    text += name_of(table.layout->key_at(slot)) + ": " + (falls ? "fallthrough " : "") +
            (chosen.registered == nullptr ? "no kernel" : chosen.registered->debug) + " [" +
            std::string(name_of(chosen.rule)) + "]\n";
  }
  return text;
}

}  // namespace assay::cuda::dispatch
