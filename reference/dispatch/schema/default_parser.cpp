// Parses default values (DSP-308, DSP-311).
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "reference/core/types/device.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/reader.hpp"

namespace assay::reference {
namespace {

using enum TypeKind;

struct NamedConstant {
  std::string_view name;
  std::int64_t value;
};

/// Names that may be used wherever a number is expected (DSP-308).
constexpr NamedConstant kNamedConstants[] = {
    {"float", 6},   {"long", 4}, {"complex", 9},
    {"strided", 0}, {"Mean", 1}, {"contiguous_format", 0},
};

/// PyTorch's alternative dtype names, which newer releases accept in schemas.
struct DtypeAlias {
  std::string_view name;
  ScalarType type;
};
constexpr DtypeAlias kDtypeAliases[] = {
    {"double", ScalarType::kDouble},
    {"half", ScalarType::kHalf},
    {"int", ScalarType::kInt},
    {"short", ScalarType::kShort},
    {"chalf", ScalarType::kComplexHalf},
    {"cfloat", ScalarType::kComplexFloat},
    {"cdouble", ScalarType::kComplexDouble},
};

std::optional<ScalarType> dtype_called(const std::string& name) {
  for (const DtypeAlias& alias : kDtypeAliases) {
    if (alias.name == name) return alias.type;
  }
  const auto found = scalar_type_named(name);
  return found == ScalarType::kUndefined ? std::nullopt : found;
}

bool is_number_word(const SchemaType& type) {
  return type.kind == kInt || type.kind == kFloat || type.kind == kBool || type.kind == kStr ||
         type.kind == kComplex || type.kind == kScalar || type.kind == kSymInt ||
         is_int_like(type.kind);
}

bool can_be_listed(const SchemaType& element) {
  return is_number_word(element) && element.kind != kStr && element.kind != kScalar;
}

bool is_hexadecimal(const std::string& text) {
  return text.find('x') != std::string::npos || text.find('X') != std::string::npos;
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

/// Returns whether the value can be an argument of this type.
bool fits(const SchemaType& type, const IValue& value) {
  const std::string_view kind = value.kind();
  switch (type.kind) {
    case kOptional:
      return kind == "None" || fits(type.items[0], value) ||
             (type.items[0].kind == kFloat && kind == "Int") || type.items[0].kind == kList;
    case kFloat:
      return kind == "Double";
    case kBool:
      return kind == "Bool";
    case kStr:
      return kind == "String";
    case kComplex:
      return kind == "ComplexDouble";
    case kScalar:
      return kind == "Int" || kind == "Double" || kind == "Bool" || kind == "ComplexDouble";
    case kDevice:
      return kind == "Device";
    case kTensor:
    case kGenerator:
      return kind == "None";
    case kList: {
      const auto* items = std::get_if<IValue::ListPtr>(&value.payload());
      return items != nullptr && std::ranges::all_of(**items, [&](const IValue& item) {
               return fits(type.items[0], item);
             });
    }
    default:
      return kind == "Int";
  }
}

/// The element kind that PyTorch's typed lists require.
std::string_view element_kind(TypeKind kind) {
  if (kind == kFloat) return "Double";
  if (kind == kBool) return "Bool";
  if (kind == kComplex) return "ComplexDouble";
  return "Int";
}

/// PyTorch detects a wrong element only when it builds the list (DSP-311).
void check_elements(const IValue::List& items, const SchemaType& element) {
  const std::string_view wanted = element_kind(element.kind);
  for (const IValue& item : items) {
    check(item.kind() == wanted, ErrorKind::kInternal, [&] {
      return "a default of " + to_text(element) + "[] cannot hold " + std::string(item.kind());
    });
  }
}

}  // namespace

IValue SchemaReader::read_default(const SchemaArgument& argument) {
  const SchemaToken where = words_.now();
  const SchemaType& type = argument.type;
  IValue value;
  if (type.kind == kTensor || type.kind == kGenerator) {
    words_.expect("None");
  } else if (type.kind == kDevice) {
    value = read_device();
  } else if (type.kind == kOptional) {
    value = read_optional(type.items[0]);
  } else if (type.kind == kList) {
    const SchemaType& element = type.items[0];
    if (!can_be_listed(element)) {
      words_.refuse("lists are only supported for float, int and complex types", where);
    }
    if (words_.is("ident")) words_.expect("None");
    if (words_.is("[") || !argument.size) {
      value = read_list(element);
    } else {
      const IValue one = read_constant(element);
      const auto count = static_cast<std::size_t>(*argument.size);
      value = IValue(std::make_shared<IValue::List>(count, one));
    }
    if (!contract_.strict()) {
      check_elements(**std::get_if<IValue::ListPtr>(&value.payload()), element);
    }
  } else if (is_number_word(type)) {
    value = read_constant(type);
  } else {
    words_.refuse("no default is possible for the type " + to_text(type), where);
  }
  check_default(argument, value, where);
  return value;
}

IValue SchemaReader::read_optional(const SchemaType& item) {
  // PyTorch parses a device here like any constant and stores its text (DSP-311).
  if (item.kind == kDevice && contract_.strict() && !words_.is("None")) return read_device();
  // An int stays an int here, even for `float?`.
  return read_constant(item.kind == kFloat ? SchemaType{kScalar, {}, {}} : item);
}

// DSP-311: PyTorch accepts all of these.
void SchemaReader::check_default(const SchemaArgument& argument, const IValue& value,
                                 const SchemaToken& where) const {
  if (!contract_.strict()) return;
  if (!fits(argument.type, value)) {
    words_.refuse("invalid default value for the type " + to_text(argument.type), where);
  }
  const auto* items = std::get_if<IValue::ListPtr>(&value.payload());
  if (items == nullptr || !argument.size) return;
  if (static_cast<std::int64_t>((*items)->size()) != *argument.size) {
    words_.refuse("the default value must have " + std::to_string(*argument.size) +
                      " elements, not " + std::to_string((*items)->size()),
                  where);
  }
}

IValue SchemaReader::read_list(const SchemaType& element) {
  auto items = std::make_shared<IValue::List>();
  words_.expect("[");
  if (words_.take_if("]")) return IValue(std::move(items));
  do {
    items->push_back(read_constant(element));
  } while (words_.take_if(","));
  words_.expect("]");
  return IValue(std::move(items));
}

IValue SchemaReader::read_constant(const SchemaType& type) {
  if (words_.take_if("None")) return {};
  if (words_.take_if("True")) return IValue(true);
  if (words_.take_if("False")) return IValue(false);
  if (words_.is("string_literal")) return IValue(read_string());
  if (words_.is("ident")) return read_named_constant(type);
  return read_number(type);
}

IValue SchemaReader::read_named_constant(const SchemaType& type) {
  const SchemaToken word = words_.take();
  if (type.kind == kScalarType && contract_.at_least(Release::k2_11)) {
    const auto dtype = dtype_called(word.text);
    if (dtype) return {*dtype, contract_.release};
  }
  for (const NamedConstant& constant : kNamedConstants) {
    if (constant.name == word.text) return IValue(constant.value);
  }
  words_.refuse("invalid numeric default value", word);
}

IValue SchemaReader::read_number(const SchemaType& type) {
  const SchemaToken sign = words_.now();
  std::string text = words_.take_if("-") ? "-" : "";
  const SchemaToken number = words_.expect("number");
  if (contract_.strict() && is_hexadecimal(number.text)) {
    words_.refuse("invalid numeric default value: it must be decimal", number);
  }
  text += number.text;
  if (text.back() == 'j') {
    text.pop_back();
    return IValue(std::complex<double>(0, to_real(text, sign)));
  }
  if (takes_imaginary_part()) {
    const std::string sign_text = words_.take().kind;
    const SchemaToken part = words_.take();
    const std::string imaginary = sign_text + part.text.substr(0, part.text.size() - 1);
    return IValue(std::complex<double>(to_real(text, sign), to_real(imaginary, part)));
  }
  if (type.kind == kComplex) return read_complex(std::move(text), sign);
  const bool is_real = text.find_first_of(".eE") != std::string::npos;
  if (is_real || type.kind == kFloat) return IValue(to_real(text, sign));
  return IValue(to_integer(text, sign));
}

/// PyTorch interprets the last letter of any number as the j (DSP-308).
IValue SchemaReader::read_complex(std::string text, const SchemaToken& where) const {
  if (contract_.strict()) {
    return IValue(std::complex<double>(to_real(text, where), 0));
  }
  text.pop_back();
  const bool has_digits = text.find_first_of("0123456789") != std::string::npos;
  if (!has_digits) throw Error(ErrorKind::kValue, "stod");
  return IValue(std::complex<double>(0, to_real(text, where)));
}

/// `0.+1.j`, the printed form of complex defaults, which PyTorch cannot parse itself (DSP-309).
bool SchemaReader::takes_imaginary_part() const {
  if (!contract_.strict() || !(words_.is("+") || words_.is("-"))) return false;
  return words_.next().kind == "number" && words_.next().text.ends_with("j");
}

IValue SchemaReader::read_device() {
  if (!words_.is("string_literal")) words_.refuse_unexpected("string_literal");
  const SchemaToken where = words_.now();
  try {
    return IValue(device_from_text(read_string(), contract_));
  } catch (const Error& error) {
    words_.refuse(error.message(), where);
  }
}

std::string SchemaReader::read_string() {
  const std::string quoted = words_.expect("string_literal").text;
  std::string text;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool is_escape = quoted[i] == '\\' && i + 2 < quoted.size();
    text += is_escape ? unescaped(quoted[++i]) : quoted[i];
  }
  return text;
}

double SchemaReader::to_real(const std::string& text, const SchemaToken& where) const {
  errno = 0;
  const double value = std::strtod(text.c_str(), nullptr);
  if (!contract_.strict() && errno == ERANGE) throw Error(ErrorKind::kIndex, "stod");
  if (std::isinf(value)) words_.refuse("the default value is out of range", where);
  return value;
}

std::int64_t SchemaReader::to_integer(const std::string& text, const SchemaToken& where) const {
  errno = 0;
  const std::int64_t value = std::strtoll(text.c_str(), nullptr, 10);
  if (errno != ERANGE) return value;
  // In PyTorch, the C++ library's exception escapes from the parser.
  if (!contract_.strict()) {
    throw Error(ErrorKind::kIndex, "stoll");
  }
  words_.refuse("the default value is out of range of 64 bits", where);
}

}  // namespace assay::reference
