// Error messages of calls without a kernel.
#include "cuda_impl/dispatch/registry/no_kernel.hpp"

#include <array>
#include <charconv>

#include "cuda_impl/dispatch/registry/dump.hpp"

namespace assay::cuda::dispatch {
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
