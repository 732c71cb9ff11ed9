// Formats types and classifies them for dispatch.
#include "reference/dispatch/schema/type.hpp"

#include <array>

namespace assay::reference {
namespace {

using enum TypeKind;

constexpr std::array<std::string_view, 18> kWords{
    "Tensor",       "Scalar",  "int",     "float",     "bool",       "str",
    "complex",      "SymInt",  "Device",  "Generator", "ScalarType", "Layout",
    "MemoryFormat", "QScheme", "Storage", "Stream",    "Any",        "NoneType",
};

std::string joined(const std::vector<SchemaType>& items) {
  std::string text;
  for (const SchemaType& item : items) text += (text.empty() ? "" : ", ") + to_text(item);
  return "(" + text + ")";
}

}  // namespace

bool SchemaType::operator==(const SchemaType& other) const {
  return kind == other.kind && name == other.name && items == other.items;
}

SchemaType list_of(SchemaType item) { return {kList, {std::move(item)}, {}}; }
SchemaType optional_of(SchemaType item) { return {kOptional, {std::move(item)}, {}}; }

std::string_view word_of(TypeKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kWords.size() ? kWords[index] : std::string_view();
}

std::string to_text(const SchemaType& type) {
  switch (type.kind) {
    case kList:
      return to_text(type.items[0]) + "[]";
    case kOptional:
      return to_text(type.items[0]) + "?";
    case kDict:
      return "Dict" + joined(type.items);
    case kTuple:
      return joined(type.items);
    case kFuture:
      return "Future" + joined(type.items);
    case kRRef:
      return "RRef" + joined(type.items);
    case kVariable:
      return type.name;
    case kOpaque:
      return type.name + (type.items.empty() ? "" : joined(type.items));
    default:
      return std::string(word_of(type.kind));
  }
}

bool is_int_like(TypeKind kind) {
  return kind == kScalarType || kind == kLayout || kind == kMemoryFormat;
}

bool is_dispatch_argument(const SchemaType& type) {
  if (type.kind == kTensor) return true;
  const bool is_list = type.kind == kList;
  const bool is_optional = type.kind == kOptional;
  if (!is_list && !is_optional) return false;
  const SchemaType& item = type.items[0];
  if (item.kind == kTensor) return true;
  return is_list && item.kind == kOptional && item.items[0].kind == kTensor;
}

}  // namespace assay::reference
