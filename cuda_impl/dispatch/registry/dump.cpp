// Prints registrations and tables; and error messages of calls without a kernel.
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "cuda_impl/dispatch/registry/table.hpp"

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

// Error messages of calls without a kernel.

namespace {

std::string op_text(const Entry& entry) { return entry.table->state->name.text(); }

std::string hexadecimal(KeySet keys) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), keys.pytorch_bits(), 16).ptr;
  const std::string text(digits.begin(), end);
  return "0x" + std::string(16 - text.size(), '0') + text;
}

/// Lists all keys with a valid entry, in slot order.
std::string available(const Table& table) {
  std::string names;
  for (unsigned slot = 1; slot < static_cast<unsigned>(table.layout->slots()); ++slot) {
    if (table.rules[slot] == Rule::kMissing) continue;
    names += (names.empty() ? "" : ", ") + name_of(table.layout->key_at(slot));
  }
  return "[" + names + "]";
}

}  // namespace

void raise_missing(const Entry& entry, KeySet keys, Stack&) {
  const Table& table = *entry.table;
  check_invariants(table);  // PyTorch checks them only here
  const std::string op = op_text(entry);
  const std::string all = available(table) + ".\n\n" + dump_table(table);
  if (entry.key.is_undefined()) {
    throw Error(ErrorKind::kNotImplemented,
                "There were no tensor arguments to this function, and no kernel without a key is "
                "registered for " +
                    op + ". The set of keys was " + hexadecimal(keys) +
                    ". It is only available for these backends: " + all);
  }
  throw Error(ErrorKind::kNotImplemented, "Could not run '" + op + "' with arguments from the '" +
                                              name_of(entry.key) + "' backend. '" + op +
                                              "' is only available for these backends: " + all);
}

void raise_ambiguous(const Entry& entry, KeySet, Stack&) {
  throw Error(ErrorKind::kInternal,
              op_text(entry) +
                  " has kernels for CompositeImplicitAutograd and for a backend mapped to "
                  "AutogradOther: the backend's kernel cannot be reached");
}

void raise_fallthrough(const Entry& entry, KeySet, Stack&) {
  throw Error(ErrorKind::kInternal, "a fallthrough kernel of " + op_text(entry) +
                                        " was executed at " + name_of(entry.key) +
                                        ", but it should have been short-circuited");
}

void raise_named(const Entry& entry, KeySet, Stack&) {
  throw Error(op_text(entry) + " is not yet supported with named tensors");
}

void raise_dead(const Entry& entry, KeySet, Stack&) {
  throw Error("the operator " + op_text(entry) + " is not registered any more");
}

}  // namespace assay::cuda::dispatch
