// Prints schema types.
#include "cuda_impl/dispatch/schema/type.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::cuda::dispatch {
namespace {

/// Indexed by TypeKind. For kinds with inner types: the word before the parenthesis.
constexpr std::array<std::string_view, 31> kNames = {
    "Tensor",       "Scalar",      "int",    "float",     "bool",       "str",       "complex",
    "SymInt",       "SymBool",     "Device", "Generator", "ScalarType", "Layout",    "MemoryFormat",
    "QScheme",      "Storage",     "Stream", "Any",       "NoneType",   "Quantizer", "Capsule",
    "AnyClassType", "AnyEnumType", "",       "",          "",           "",          "Dict",
    "Future",       "RRef",        "Await"};
static_assert(kNames.size() == static_cast<std::size_t>(TypeKind::kAwait) + 1);

std::string joined(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + type.text();
  return text;
}

}  // namespace

Type Type::variable(std::string name) {
  Type type(TypeKind::kVariable);
  type.variable_ = std::move(name);
  return type;
}

Type Type::optional(Type inner) {
  if (inner.is_optional()) return inner;
  return Type(TypeKind::kOptional, {std::move(inner)});
}

bool Type::has_variable() const {
  return is(TypeKind::kVariable) ||
         std::ranges::any_of(inner_, [](const Type& type) { return type.has_variable(); });
}

std::string Type::text() const {
  if (kind_ == TypeKind::kVariable) return variable_;
  if (kind_ == TypeKind::kOptional) return element().text() + "?";
  if (kind_ == TypeKind::kList) return element().text() + "[]";
  const std::string name(kNames[static_cast<std::size_t>(kind_)]);
  return kind_ < TypeKind::kOptional ? name : name + "(" + joined(inner_) + ")";
}

}  // namespace assay::cuda::dispatch
