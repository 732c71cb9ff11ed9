// The menu of signatures, and which of them an operator takes.
#include "harness/adapters/libtorch/menu/menu.hpp"

#include <ATen/core/op_registration/infer_schema.h>

#include "harness/adapters/libtorch/passing.hpp"

namespace assay::libtorch {
namespace {

std::string without_spaces(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_word_break = text[i] == ' ' && i >= 5 && text.substr(i - 5, 5) == "const";
    if (text[i] != ' ' || is_word_break) kept += text[i];
  }
  return kept;
}

bool expects(const MenuEntry& entry, const c10::OperatorHandle& op) {
  try {
    entry.expect(op);
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

/// Without a schema, any entry with the operator's C++ signature matches.
bool fits(const MenuEntry& entry, const c10::OperatorHandle& op) {
  if (!op.hasSchema()) return true;
  const bool writes = op.schema().is_mutable();
  return entry.writes == writes && !c10::findSchemaDifferences(entry.schema(), op.schema());
}

}  // namespace

const std::vector<MenuEntry>& menu() {
  static const std::vector<MenuEntry> all = [] {
    std::vector<MenuEntry> made;
    add_plain_signatures(made);
    add_list_signatures(made);
    add_number_signatures(made);
    add_reference_signatures(made);
    return made;
  }();
  return all;
}

const MenuEntry& menu_entry(const std::string& text) {
  const std::string wanted = without_spaces(text);
  for (const MenuEntry& entry : menu()) {
    if (entry.text == wanted) return entry;
  }
  throw NotSupported("this program is not compiled with the signature " + text);
}

const MenuEntry& usual_entry(const c10::OperatorHandle& op) {
  // An operator without typed kernels takes every signature; otherwise only its own.
  const MenuEntry* fitting = nullptr;
  const MenuEntry* expected = nullptr;
  std::size_t taken = 0;
  for (const MenuEntry& entry : menu()) {
    if (!expects(entry, op)) continue;
    ++taken;
    if (expected == nullptr) expected = &entry;
    if (fitting == nullptr && fits(entry, op)) fitting = &entry;
  }
  if (taken == 1) return *expected;
  if (fitting != nullptr) return *fitting;
  throw NotSupported("no signature of the menu fits " + c10::toString(op.operator_name()));
}

void expect_count(std::size_t parameters, std::size_t values) {
  if (parameters == values) return;
  throw InvalidArgument(std::to_string(parameters) + " values were expected, not " +
                        std::to_string(values));
}

void refuse_argument(std::size_t number, const char* why) {
  throw InvalidArgument("argument " + std::to_string(number) + " does not fit: " + why);
}

}  // namespace assay::libtorch
