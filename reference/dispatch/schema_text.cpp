// Schemas written down.
#include <charconv>
#include <cmath>

#include "reference/core/fault.hpp"
#include "reference/dispatch/schema.hpp"

namespace assay::reference {
namespace {

/// Seventeen digits, and a point where none of them shows that it is no int (DSP-309).
std::string float_text(double value) {
  char buffer[64];
  const auto digits =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 17);
  std::string text(buffer, digits.ptr);
  if (text.find_first_of(".en") == std::string::npos) text += ".";
  return text;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

std::string value_text(const IValue& value);

std::string items_text(const IValue::List& items) {
  std::string text;
  for (const IValue& item : items) text += (text.empty() ? "" : ", ") + value_text(item);
  return "[" + text + "]";
}

struct ValueText {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(std::complex<double> value) const {
    const std::string imaginary = float_text(value.imag());
    return float_text(value.real()) + (imaginary.front() == '-' ? "" : "+") + imaginary + "j";
  }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const IValue::ListPtr& value) const { return items_text(*value); }
  std::string operator()(Device value) const { return quoted(to_text(value)); }
  template <typename T>
  std::string operator()(const T&) const {
    return "<object>";
  }
};

std::string value_text(const IValue& value) { return std::visit(ValueText{}, value.payload()); }

/// `int[2] x=1` stands for [1, 1] (DSP-308).
std::string default_text(const SchemaArgument& argument) {
  const IValue& value = *argument.default_value;
  const auto* list = std::get_if<IValue::ListPtr>(&value.payload());
  if (list == nullptr || !argument.size || (*list)->empty()) return value_text(value);
  const std::string first = value_text((**list)[0]);
  for (const IValue& item : **list) {
    if (value_text(item) != first) return value_text(value);
  }
  return first;
}

std::string set_text(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

std::string alias_text(const AliasInfo& alias) {
  std::string text = "(" + set_text(alias.before);
  if (alias.write) text += "!";
  if (alias.before != alias.after) text += " -> " + set_text(alias.after);
  return text + ")";
}

/// `Tensor(a)[](b!)?`: each annotation behind the part of the type that it belongs to.
std::string annotated(const SchemaType& type, const std::string& brackets, const AliasInfo* alias) {
  if (type.kind == TypeKind::kOptional) return annotated(type.items[0], brackets, alias) + "?";
  const bool own = alias != nullptr && (!alias->before.empty() || alias->contained.empty());
  if (type.kind != TypeKind::kList) {
    return to_text(type) + (own ? alias_text(*alias) : "");
  }
  const AliasInfo* inner =
      alias != nullptr && !alias->contained.empty() ? alias->contained.data() : nullptr;
  return annotated(type.items[0], "[]", inner) + brackets + (own ? alias_text(*alias) : "");
}

std::string argument_text(const SchemaArgument& argument) {
  const std::string brackets =
      argument.size ? "[" + std::to_string(*argument.size) + "]" : std::string("[]");
  std::string text =
      annotated(argument.type, brackets, argument.alias ? &*argument.alias : nullptr);
  if (!argument.name.empty()) text += " " + argument.name;
  if (argument.default_value) text += "=" + default_text(argument);
  return text;
}

std::string arguments_text(const FunctionSchema& schema) {
  std::string text;
  bool starred = false;
  for (const SchemaArgument& argument : schema.arguments) {
    if (!text.empty()) text += ", ";
    if (argument.kwarg_only && !starred) text += "*, ";
    starred = starred || argument.kwarg_only;
    text += argument_text(argument);
  }
  if (schema.vararg) text += text.empty() ? "..." : ", ...";
  return "(" + text + ")";
}

std::string returns_text(const FunctionSchema& schema) {
  std::string text;
  for (const SchemaArgument& value : schema.returns) {
    text += (text.empty() ? "" : ", ") + argument_text(value);
  }
  if (schema.varret) text += text.empty() ? "..." : ", ...";
  // DSP-306: one value stands bare, but for a tuple, whose parentheses would be taken for these.
  const bool is_bare = schema.returns.size() + (schema.varret ? 1 : 0) == 1 &&
                       (schema.varret || schema.returns[0].type.kind != TypeKind::kTuple);
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

std::string to_text(const FunctionSchema& schema) {
  return to_text(schema.name) + arguments_text(schema) + " -> " + returns_text(schema);
}

}  // namespace assay::reference
