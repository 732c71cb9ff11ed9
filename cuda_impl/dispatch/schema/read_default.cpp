// Parses default values according to their type.
#include <algorithm>

#include "cuda_impl/core/device/device_text.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {
namespace {

using Complex = std::complex<double>;

/// DSP-304
bool is_int_like(TypeKind kind) {
  return kind == TypeKind::kInt || kind == TypeKind::kSymInt || kind == TypeKind::kScalarType ||
         kind == TypeKind::kLayout || kind == TypeKind::kMemoryFormat;
}

bool is_number(const Constant& value) {
  return value.is<std::int64_t>() || value.is<double>() || value.is<Complex>();
}

/// Does the constant match the type kind?
bool fits(const Constant& value, TypeKind kind) {
  if (is_int_like(kind)) return value.is<std::int64_t>();
  switch (kind) {
    case TypeKind::kBool:
      return value.is<bool>();
    case TypeKind::kFloat:
      return value.is<double>();
    case TypeKind::kComplex:
      return value.is<Complex>();
    case TypeKind::kScalar:
      return is_number(value) || value.is<bool>();
    case TypeKind::kStr:
      return value.is<std::string>();
    case TypeKind::kDevice:
      return value.is<Device>();
    default:
      return false;
  }
}

bool has_single_default(TypeKind kind) {
  return is_int_like(kind) || kind == TypeKind::kBool || kind == TypeKind::kFloat ||
         kind == TypeKind::kComplex || kind == TypeKind::kScalar || kind == TypeKind::kStr;
}

bool may_be_in_list(TypeKind kind) {
  return is_int_like(kind) || kind == TypeKind::kBool || kind == TypeKind::kFloat ||
         kind == TypeKind::kComplex;
}

class DefaultReader {
 public:
  DefaultReader(Reading& reading, const Argument& argument)
      : reading_(reading), lexer_(reading.lexer), argument_(argument), start_(lexer_.current()) {}

  Constant read();

 private:
  bool is_strict() const { return reading_.contract.is_strict; }
  [[noreturn]] void refuse(const Type& type) const {
    lexer_.fail(start_, "invalid default value for the type " + type.text());
  }

  Constant none();
  Constant device();
  Constant optional();
  Constant list();
  std::vector<Constant> items(const Type& element);
  Constant as_list(const Type& element, std::vector<Constant> items) const;

  Constant single(const Type& type) { return read_constant(reading_, type); }
  Constant fitting(const Type& type);
  Reading& reading_;
  Lexer& lexer_;
  const Argument& argument_;
  Token start_;
};

Constant DefaultReader::fitting(const Type& type) {
  Constant value = single(type);
  if (is_strict() && !fits(value, type.kind())) refuse(type);
  return value;
}

Constant DefaultReader::none() {
  lexer_.expect("None");
  return {};
}

Constant DefaultReader::device() {
  const Token literal = lexer_.expect("string_literal");
  try {
    return Constant(device_from_text(text_of_literal(literal.text), reading_.contract));
  } catch (const Error& problem) {
    lexer_.fail(literal, problem.message());
  }
}

/// Parses one constant as written: `float? x=1` has an int.
Constant DefaultReader::optional() {
  const Type& type = argument_.type;
  const Type& inner = type.element();
  const bool is_device = inner.is(TypeKind::kDevice) && lexer_.is("string_literal");
  if (is_strict() && is_device) return device();
  Constant value = single(type);
  const bool has_size = inner.is_list() && argument_.size.has_value();
  const TypeKind kind = has_size ? inner.element().kind() : inner.kind();
  const bool is_part = (kind == TypeKind::kFloat && value.is<std::int64_t>()) ||
                       (kind == TypeKind::kComplex && is_number(value));
  const bool is_fit = value.is_none() || fits(value, kind) || is_part;
  if (is_strict() && !is_fit) refuse(type);
  return value;
}

std::vector<Constant> DefaultReader::items(const Type& element) {
  std::vector<Constant> read;
  lexer_.expect("[");
  if (!lexer_.is("]")) {
    do {
      read.push_back(single(element));
    } while (lexer_.accept(","));
  }
  lexer_.expect("]");
  return read;
}

Constant DefaultReader::as_list(const Type& element, std::vector<Constant> items) const {
  if (!may_be_in_list(element.kind())) {
    lexer_.fail(start_, "lists are only supported for float, int and complex types");
  }
  const bool is_fit =
      std::ranges::all_of(items, [&](const Constant& item) { return fits(item, element.kind()); });
  if (!is_fit && is_strict()) refuse(argument_.type);
  if (!is_fit) {
    throw Error(ErrorKind::kInternal, "a default of " + argument_.type.text() +
                                          " has an element that is no " + element.text());
  }
  const auto count = static_cast<std::int64_t>(items.size());
  if (is_strict() && argument_.size.value_or(count) != count) {
    lexer_.fail(start_, "the default value must have " + std::to_string(*argument_.size) +
                            " elements, not " + std::to_string(count));
  }
  return Constant(std::move(items));
}

Constant DefaultReader::list() {
  const Type& element = argument_.type.element();
  if (lexer_.is("ident")) return none();
  if (!argument_.size || lexer_.is("[")) return as_list(element, items(element));
  const auto times = static_cast<std::size_t>(*argument_.size);
  const Constant repeated = single(element);
  if (!fits(repeated, element.kind())) return as_list(element, {repeated});
  return as_list(element, std::vector<Constant>(times, repeated));
}

Constant DefaultReader::read() {
  const Type& type = argument_.type;
  switch (type.kind()) {
    case TypeKind::kTensor:
    case TypeKind::kGenerator:
    case TypeKind::kQuantizer:
      return none();
    case TypeKind::kDevice:
      return device();
    case TypeKind::kOptional:
      return optional();
    case TypeKind::kList:
      return list();
    default:
      if (has_single_default(type.kind())) return fitting(type);
      lexer_.fail(start_, "the type " + type.text() + " has no default values");
  }
}

}  // namespace

Constant read_default(Reading& reading, const Argument& argument) {
  return DefaultReader(reading, argument).read();
}

}  // namespace assay::cuda::dispatch
