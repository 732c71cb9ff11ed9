// Looks up signatures on the menu.
#include "cuda_impl/subject/dispatch/menu.hpp"

#include <algorithm>

#include "cuda_impl/dispatch/schema/difference.hpp"
#include "cuda_impl/subject/dispatch/menu_row.hpp"

namespace assay::cuda {
namespace {

struct Listed {
  std::string text;  ///< without spaces
  const MenuRow* row;
};

std::string without_spaces(std::string_view text) {
  std::string kept(text);
  std::erase(kept, ' ');
  return kept;
}

const std::vector<Listed>& menu() {
  static const std::vector<Listed> all = [] {
    std::vector<Listed> rows;
    for (const auto part :
         {menu_of_plain_tensors, menu_of_containers, menu_of_references, menu_of_many}) {
      for (const MenuRow* row : part()) {
        rows.push_back({without_spaces(row->signature->name()), row});
      }
    }
    return rows;
  }();
  return all;
}

/// Returns whether the signature returns references to its arguments.
bool returns_arguments(const Listed& one) {
  return one.text.starts_with("Tensor&(") || one.text.starts_with("constTensor&(") ||
         one.text.starts_with("tuple<Tensor&");
}

bool takes(const Listed& one, const std::vector<Boxed>& arguments) {
  try {
    std::vector<Boxed> copy = arguments;
    return one.text.starts_with("Tensor(") && one.row->fit(copy);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void detail::expect_same(const Stack& results, const Stack& arguments) {
  const bool are_same = std::ranges::equal(results, arguments, [](const Boxed& a, const Boxed& b) {
    return a.is_tensor() && a.tensor().is_same(b.tensor());
  });
  if (!are_same) throw NotSupported("a C++ kernel that returns references returns its arguments");
}

const MenuRow& menu_row(std::string_view text) {
  const std::string wanted = without_spaces(text);
  for (const Listed& one : menu()) {
    if (one.text == wanted) return *one.row;
  }
  throw NotSupported("the signature " + std::string(text) + " is not on the menu");
}

const MenuRow* menu_row(const dispatch::Signature& signature) {
  for (const Listed& one : menu()) {
    if (one.row->signature == &signature) return one.row;
  }
  return nullptr;
}

/// Rows with const references come first.
const MenuRow* menu_row_for(const dispatch::Schema& schema) {
  for (const Listed& one : menu()) {
    if (returns_arguments(one) != schema.is_mutable()) continue;
    if (!schema_difference(schema, one.row->signature->schema())) return one.row;
  }
  return nullptr;
}

const MenuRow* menu_row_for(const std::vector<Boxed>& arguments) {
  for (const Listed& one : menu()) {
    if (takes(one, arguments)) return one.row;
  }
  return nullptr;
}

}  // namespace assay::cuda
