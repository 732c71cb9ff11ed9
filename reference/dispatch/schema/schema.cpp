// Member functions of schemas; formats types and schemas, and classifies types for dispatch.
#include "reference/dispatch/schema/schema.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace assay::reference {

bool AliasInfo::operator==(const AliasInfo& other) const {
  return write == other.write && before == other.before && after == other.after &&
         contained == other.contained;
}

bool SchemaArgument::is_written() const { return alias && alias->write; }

bool FunctionSchema::is_mutable() const {
  return std::ranges::any_of(arguments, &SchemaArgument::is_written);
}

// Types.

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

// The text of schemas.

namespace {

/// Uses 17 digits, and adds a point if the text would otherwise be an int (DSP-309).
std::string float_text(double value, Deviations deviations) {
  const bool is_whole = std::trunc(value) == value && std::abs(value) < 0x1p63;
  const bool has_sign = std::signbit(value) && deviations == Deviations::kStrict;
  if (is_whole && value == 0) return has_sign ? "-0." : "0.";
  if (is_whole) return std::to_string(static_cast<std::int64_t>(value)) + ".";
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 17);
  return {buffer, end.ptr};
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    const auto at = std::string_view("\n\t\r").find(c);
    if (at != std::string_view::npos) {
      made += std::string("\\") + "ntr"[at];
      continue;
    }
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

struct ValueText {
  Deviations deviations;

  std::string text_of(const IValue& value) const { return std::visit(*this, value.payload()); }

  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(double value) const { return float_text(value, deviations); }
  std::string operator()(std::complex<double> value) const {
    const std::string imaginary = float_text(value.imag(), deviations);
    return float_text(value.real(), deviations) + (imaginary.front() == '-' ? "" : "+") +
           imaginary + "j";
  }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const IValue::ListPtr& value) const {
    std::string text;
    for (const IValue& item : *value) text += (text.empty() ? "" : ", ") + text_of(item);
    return "[" + text + "]";
  }
  std::string operator()(Device value) const {
    return deviations == Deviations::kStrict ? quoted(to_text(value)) : to_text(value);
  }
  template <typename T>
  std::string operator()(const T&) const {
    return "<object>";
  }
};

bool is_int_list(const SchemaType& type) {
  return type.kind == TypeKind::kList && type.items[0].kind == TypeKind::kInt;
}

bool is_str(const SchemaType& type) {
  const SchemaType& held = type.kind == TypeKind::kOptional ? type.items[0] : type;
  return held.kind == TypeKind::kStr;
}

/// `int[2] x=1` abbreviates [1, 1] (DSP-308).
std::string default_text(const SchemaArgument& argument, Deviations deviations) {
  const ValueText writer{deviations};
  const IValue& value = *argument.default_value;
  const auto* string = std::get_if<std::string>(&value.payload());
  // PyTorch quotes by the type, not by the default (DSP-311).
  if (string != nullptr && deviations == Deviations::kCompat && !is_str(argument.type)) {
    return *string;
  }
  const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
  const bool may_shrink = list != nullptr && argument.size && is_int_list(argument.type);
  if (!may_shrink || (*list)->size() < 2) return writer.text_of(value);
  const std::string first = writer.text_of((**list)[0]);
  for (const IValue& item : **list) {
    if (writer.text_of(item) != first) return writer.text_of(value);
  }
  return first;
}

std::string set_text(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

std::string alias_text(const AliasInfo& alias, Deviations deviations) {
  const bool is_fresh = alias.before.size() == 1 && alias.before.begin()->starts_with("$");
  if (is_fresh && deviations == Deviations::kStrict) return "!";
  std::string text = "(" + set_text(alias.before);
  if (alias.write) text += "!";
  if (alias.before != alias.after) text += " -> " + set_text(alias.after);
  return text + ")";
}

struct TypeText {
  Deviations deviations;
  std::string brackets;  ///< of the outermost list

  /// PyTorch writes the annotation of an optional element after it, which it cannot parse
  /// (DSP-309).
  std::string element_text(const SchemaType& type, const AliasInfo* alias) const {
    const TypeText inside{deviations, "[]"};
    const bool is_behind =
        type.kind == TypeKind::kOptional && alias != nullptr && deviations == Deviations::kCompat;
    if (!is_behind) return inside.text_of(type, alias);
    return inside.text_of(type, nullptr) + alias_text(*alias, deviations);
  }

  /// `Tensor(a)[](b!)?`: each annotation follows its part of the type.
  std::string text_of(const SchemaType& type, const AliasInfo* alias) const {
    if (type.kind == TypeKind::kOptional) return text_of(type.items[0], alias) + "?";
    const bool has_own = alias != nullptr && !alias->before.empty();
    const std::string own = has_own ? alias_text(*alias, deviations) : "";
    if (type.kind != TypeKind::kList) return to_text(type) + own;
    const bool has_inner = alias != nullptr && !alias->contained.empty();
    const AliasInfo* inner = has_inner ? alias->contained.data() : nullptr;
    return element_text(type.items[0], inner) + brackets + own;
  }
};

std::string argument_text(const SchemaArgument& argument, Deviations deviations) {
  const std::string brackets =
      argument.size ? "[" + std::to_string(*argument.size) + "]" : std::string("[]");
  const AliasInfo* alias = argument.alias ? &*argument.alias : nullptr;
  std::string text = TypeText{deviations, brackets}.text_of(argument.type, alias);
  if (!argument.name.empty()) text += " " + argument.name;
  if (argument.default_value) text += "=" + default_text(argument, deviations);
  return text;
}

std::string arguments_text(const FunctionSchema& schema, Deviations deviations) {
  std::string text;
  bool starred = false;
  for (const SchemaArgument& argument : schema.arguments) {
    if (!text.empty()) text += ", ";
    if (argument.kwarg_only && !starred) text += "*, ";
    starred = starred || argument.kwarg_only;
    text += argument_text(argument, deviations);
  }
  if (schema.vararg) text += text.empty() ? "..." : ", ...";
  return "(" + text + ")";
}

std::string returns_text(const FunctionSchema& schema, Deviations deviations) {
  std::string text;
  for (const SchemaArgument& value : schema.returns) {
    text += (text.empty() ? "" : ", ") + argument_text(value, deviations);
  }
  if (schema.varret) text += text.empty() ? "..." : ", ...";
  const std::size_t count = schema.returns.size() + (schema.varret ? 1 : 0);
  // DSP-306: a single return needs parentheses only if it is a tuple, to avoid ambiguity.
  const bool is_bare =
      count == 1 && (schema.varret || schema.returns[0].type.kind != TypeKind::kTuple);
  return is_bare ? text : "(" + text + ")";
}

}  // namespace

std::string to_text(const OperatorName& name) {
  return name.overload.empty() ? name.name : name.name + "." + name.overload;
}

std::string_view OperatorName::name_space() const {
  const std::size_t colons = name.find("::");
  return colons == std::string::npos ? std::string_view()
                                     : std::string_view(name).substr(0, colons);
}

std::string to_text(const FunctionSchema& schema, Deviations deviations) {
  return to_text(schema.name) + arguments_text(schema, deviations) + " -> " +
         returns_text(schema, deviations);
}

}  // namespace assay::reference
