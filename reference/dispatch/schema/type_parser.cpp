// Parses types and alias annotations.
#include <array>
#include <cctype>

#include "reference/dispatch/schema/reader.hpp"

namespace assay::reference {
namespace {

constexpr std::array kWordKinds{
    TypeKind::kTensor,       TypeKind::kScalar,    TypeKind::kInt,        TypeKind::kFloat,
    TypeKind::kBool,         TypeKind::kStr,       TypeKind::kComplex,    TypeKind::kSymInt,
    TypeKind::kDevice,       TypeKind::kGenerator, TypeKind::kScalarType, TypeKind::kLayout,
    TypeKind::kMemoryFormat, TypeKind::kQScheme,   TypeKind::kStorage,    TypeKind::kStream,
    TypeKind::kAny,
};

/// Combines the annotations of a container and its element. Without its own annotation, a container
/// is written if its element is (DSP-307).
std::optional<AliasInfo> contained_in(std::optional<AliasInfo> container,
                                      std::optional<AliasInfo> element) {
  if (!element) return container;
  AliasInfo made;
  if (container) {
    made = std::move(*container);
  } else {
    made.write = element->write;
  }
  made.contained.push_back(std::move(*element));
  return made;
}

}  // namespace

SchemaReader::AnnotatedType SchemaReader::read_sized_type(std::optional<std::int64_t>& size) {
  AnnotatedType read = read_type();
  if (!words_.take_if("[")) return read;
  const SchemaToken number = words_.expect("number");
  size = to_integer(number.text, number);
  words_.expect("]");
  read.type = list_of(std::move(read.type));
  read.alias = contained_in(read_alias(), std::move(read.alias));
  if (words_.take_if("?")) read.type = optional_of(std::move(read.type));
  return read;
}

SchemaReader::AnnotatedType SchemaReader::read_type() {
  AnnotatedType read = read_base_type();
  while (true) {
    if (words_.is("[") && words_.next().kind == "]") {
      words_.take();
      words_.take();
      read.type = list_of(std::move(read.type));
      read.alias = contained_in(read_alias(), std::move(read.alias));
    } else if (words_.take_if("?")) {
      if (read.type.kind != TypeKind::kOptional) read.type = optional_of(std::move(read.type));
    } else {
      return read;
    }
  }
}

SchemaReader::AnnotatedType SchemaReader::read_base_type() {
  if (words_.take_if("(")) {
    SchemaType tuple{TypeKind::kTuple, {}, {}};
    if (words_.take_if(")")) return {std::move(tuple), std::nullopt};
    do {
      tuple.items.push_back(read_type().type);
    } while (words_.take_if(","));
    words_.expect(")");
    return {std::move(tuple), std::nullopt};
  }
  if (words_.take_if("None") || words_.take_if("NoneType")) {
    return {{TypeKind::kNone, {}, {}}, read_alias()};
  }
  SchemaType type = read_named_type();
  // These types already end with parentheses, so they take no annotation.
  if (type.kind == TypeKind::kFuture || type.kind == TypeKind::kRRef ||
      (type.kind == TypeKind::kOpaque && !type.items.empty())) {
    return {std::move(type), std::nullopt};
  }
  return {std::move(type), read_alias()};
}

SchemaType SchemaReader::read_named_type() {
  const SchemaToken word = words_.expect("ident");
  for (const TypeKind kind : kWordKinds) {
    if (word_of(kind) != word.text) continue;
    return {kind, {}, {}};
  }
  if (word.text == "Dict") return {TypeKind::kDict, read_types(2), {}};
  if (word.text == "Future") return {TypeKind::kFuture, read_types(1), {}};
  if (word.text == "RRef") return {TypeKind::kRRef, read_types(1), {}};
  if (const auto rare = read_rare_type(word.text)) return *rare;
  if (word.text == "__torch__") {
    std::string path;
    while (words_.take_if(".")) path += (path.empty() ? "" : ".") + words_.expect("ident").text;
    words_.refuse("Unknown custom class type " + path + ", which is not registered", word);
  }
  const bool is_lower = std::islower(static_cast<unsigned char>(word.text[0])) != 0;
  if (is_lower && !contract_.strict()) {  // DSP-303
    return {TypeKind::kVariable, {}, word.text};
  }
  words_.refuse("unknown type specifier '" + word.text + "'", word);
}

/// Types that can only be parsed and printed; some exist since 2.4 or 2.11, Dimname up to 2.12
/// (DSP-303).
std::optional<SchemaType> SchemaReader::read_rare_type(const std::string& word) {
  const bool is_new = contract_.at_least(Release::k2_4);
  const bool is_newest = contract_.at_least(Release::k2_11);
  if (word == "Dimname" && contract_.before(Release::k2_13)) {
    return SchemaType{TypeKind::kStr, {}, {}};
  }
  if (word == "ConstQuantizerPtr" || (word == "DeviceIndex" && is_new)) {
    return SchemaType{TypeKind::kInt, {}, {}};
  }
  const bool is_word = word == "Quantizer" || word == "Capsule" || word == "AnyClassType" ||
                       word == "AnyEnumType" || (word == "SymBool" && is_newest);
  if (is_word) return SchemaType{TypeKind::kOpaque, {}, word};
  if (word == "Await" && is_new) return SchemaType{TypeKind::kOpaque, read_types(1), word};
  return std::nullopt;
}

std::vector<SchemaType> SchemaReader::read_types(std::size_t count) {
  std::vector<SchemaType> types;
  words_.expect("(");
  while (types.size() < count) {
    if (!types.empty()) words_.expect(",");
    types.push_back(read_type().type);
  }
  words_.expect(")");
  return types;
}

std::optional<AliasInfo> SchemaReader::read_alias() {
  AliasInfo alias;
  if (words_.take_if("!")) {
    alias.before = {"$" + std::to_string(fresh_sets_++)};
    // PyTorch leaves the set after the call empty here (DSP-307).
    if (contract_.strict()) alias.after = alias.before;
    alias.write = true;
    return alias;
  }
  if (!words_.take_if("(")) return std::nullopt;
  alias.before = read_alias_set();
  alias.write = words_.take_if("!");
  alias.after = words_.take_if("arrow") ? read_alias_set() : alias.before;
  words_.expect(")");
  return alias;
}

std::set<std::string> SchemaReader::read_alias_set() {
  std::set<std::string> names;
  do {
    names.insert(words_.is("*") ? words_.take().text : words_.expect("ident").text);
  } while (words_.take_if("|"));
  return names;
}

}  // namespace assay::reference
