// Prints schemas and their types in their canonical form.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

#include "cuda_impl/dispatch/schema/schema.hpp"

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

namespace {

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

/// Was the annotation `!` alone?
bool is_fresh(const AliasInfo& alias) {
  return alias.is_write && alias.before.size() == 1 && alias.before.begin()->starts_with('$');
}

/// Whole doubles below this are printed as ints.
constexpr double kTwoTo63 = 9223372036854775808.0;

class Printer {
 public:
  explicit Printer(const Contract& contract)
      : is_strict_(contract.is_strict), release_(contract.release) {}

  std::string argument(const Argument& argument) const;
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const;
  std::string operator()(std::complex<double> value) const;
  std::string operator()(const std::string& value) const {
    return is_strict_ ? quoted(value) : value;
  }
  std::string operator()(Device value) const;
  std::string operator()(const Constant::List& values) const;

 private:
  static std::string quoted(const std::string& text);
  std::string annotation(const AliasInfo& alias) const;
  std::string own_annotation(const AliasInfo* alias) const;
  std::string typed(const Type& type, const AliasInfo* alias, const std::string& size) const;
  std::string list(const Type& type, const AliasInfo* alias, const std::string& size) const;
  std::string default_of(const Argument& argument) const;

  bool is_strict_;
  Release release_;
};

std::string Printer::quoted(const std::string& text) {
  std::string escaped = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n':
        escaped += "\\n";
        break;
      case '\t':
        escaped += "\\t";
        break;
      case '\r':
        escaped += "\\r";
        break;
      case '"':
      case '\\':
        escaped += '\\';
        [[fallthrough]];
      default:
        escaped += c;
    }
  }
  return escaped + "\"";
}

/// DSP-309
std::string Printer::operator()(double value) const {
  if (std::trunc(value) == value && std::abs(value) < kTwoTo63) {
    const bool keeps_sign = is_strict_ && value == 0 && std::signbit(value);
    return (keeps_sign ? "-" : "") + std::to_string(static_cast<std::int64_t>(value)) + ".";
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", std::numeric_limits<double>::max_digits10, value);
  return text.data();
}

std::string Printer::operator()(std::complex<double> value) const {
  const std::string imaginary = (*this)(value.imag());
  return (*this)(value.real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
}

std::string Printer::operator()(Device value) const {
  const std::string text = to_text(value, release_);
  return is_strict_ ? quoted(text) : text;
}

std::string Printer::operator()(const Constant::List& values) const {
  std::string text;
  for (const Constant& value : values) {
    text += (text.empty() ? "" : ", ") + std::visit(*this, value.payload());
  }
  return "[" + text + "]";
}

std::string Printer::annotation(const AliasInfo& alias) const {
  if (is_strict_ && is_fresh(alias)) return "!";
  std::string text = "(" + joined(alias.before) + (alias.is_write ? "!" : "");
  if (alias.after != alias.before) text += " -> " + joined(alias.after);
  return text + ")";
}

/// A list of which only the elements are annotated has no annotation of its own.
std::string Printer::own_annotation(const AliasInfo* alias) const {
  return alias == nullptr || alias->before.empty() ? "" : annotation(*alias);
}

std::string Printer::list(const Type& type, const AliasInfo* alias, const std::string& size) const {
  const bool has_inner = alias != nullptr && !alias->contained.empty();
  const AliasInfo* const inner = has_inner ? &alias->contained.front() : nullptr;
  const Type& element = type.element();
  // PyTorch prints an element's annotation after the whole element, even if it is optional.
  const bool goes_behind = !is_strict_ && element.is_optional();
  const std::string text =
      goes_behind ? element.text() + own_annotation(inner) : typed(element, inner, "");
  return text + "[" + size + "]" + own_annotation(alias);
}

std::string Printer::typed(const Type& type, const AliasInfo* alias,
                           const std::string& size) const {
  if (type.is_optional()) return typed(type.element(), alias, size) + "?";
  if (type.is_list()) return list(type, alias, size);
  return type.text() + own_annotation(alias);
}

/// A fixed-size list of equal numbers is printed as one number.
bool is_repeated(const Argument& argument, const Constant::List& values) {
  const Type& type = argument.type;
  return argument.size && type.is_list() && type.element().is(TypeKind::kInt) &&
         values.size() >= 2 &&
         std::ranges::all_of(values, [&](const Constant& value) { return value == values[0]; });
}

std::string Printer::default_of(const Argument& argument) const {
  const Constant& value = *argument.default_value;
  const auto* const values = value.get_if<Constant::List>();
  if (values != nullptr && is_repeated(argument, *values)) {
    return std::visit(*this, values->front().payload());
  }
  const auto* const text = value.get_if<std::string>();
  const bool is_text = argument.type.without_optional().is(TypeKind::kStr);
  if (text != nullptr && is_text) return quoted(*text);
  return std::visit(*this, value.payload());
}

std::string Printer::argument(const Argument& argument) const {
  const std::string size = argument.size ? std::to_string(*argument.size) : "";
  std::string text = typed(argument.type, argument.alias ? &*argument.alias : nullptr, size);
  if (!argument.name.empty()) text += " " + argument.name;
  if (argument.default_value) text += "=" + default_of(argument);
  return text;
}

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

std::string arguments_text(const Schema& schema, const Contract& contract) {
  std::string text;
  bool kwarg_only = false;
  for (const Argument& argument : schema.arguments()) {
    if (argument.kwarg_only && !kwarg_only) append(text, "*");
    kwarg_only = argument.kwarg_only;
    append(text, argument.text(contract));
  }
  if (schema.is_vararg()) append(text, "...");
  return "(" + text + ")";
}

/// DSP-306: in parentheses, unless there is one return that does not begin with a parenthesis.
std::string returns_text(const Schema& schema, const Contract& contract) {
  std::string text;
  for (const Argument& item : schema.returns()) append(text, item.text(contract));
  if (schema.is_varret()) append(text, "...");
  const std::size_t count = schema.returns().size() + (schema.is_varret() ? 1 : 0);
  return count == 1 && !text.starts_with('(') ? text : "(" + text + ")";
}

}  // namespace

std::string OperatorName::text() const { return overload.empty() ? name : name + "." + overload; }

std::string_view OperatorName::namespace_name() const {
  const std::size_t end = name.find("::");
  return end == std::string::npos ? std::string_view() : std::string_view(name).substr(0, end);
}

std::string Argument::text(const Contract& contract) const {
  return Printer(contract).argument(*this);
}

bool Schema::is_mutable() const {
  return std::ranges::any_of(parts_.arguments, &Argument::is_written);
}

bool Schema::has_variable() const {
  const auto has = [](const Argument& argument) { return argument.type.has_variable(); };
  return std::ranges::any_of(parts_.arguments, has) || std::ranges::any_of(parts_.returns, has);
}

std::string Schema::text(const Contract& contract) const {
  return parts_.name.text() + arguments_text(*this, contract) + " -> " +
         returns_text(*this, contract);
}

}  // namespace assay::cuda::dispatch
