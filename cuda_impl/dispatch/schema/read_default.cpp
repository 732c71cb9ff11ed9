// Parses default values according to their type, and constants: numbers, named numbers and strings.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {

// Constants.

namespace {

using Complex = std::complex<double>;

struct NamedNumber {
  std::string_view name;
  std::int64_t number;
};
/// Names that are accepted for any int (DSP-308).
constexpr std::array kWords = {NamedNumber{"float", 6},   NamedNumber{"long", 4},
                               NamedNumber{"complex", 9}, NamedNumber{"strided", 0},
                               NamedNumber{"Mean", 1},    NamedNumber{"contiguous_format", 0}};

struct OtherName {
  std::string_view name;
  Dtype dtype;
};
/// Python's alternative names of dtypes.
constexpr std::array kOtherNames = {
    OtherName{"half", Dtype::kFloat16},      OtherName{"double", Dtype::kFloat64},
    OtherName{"short", Dtype::kInt16},       OtherName{"int", Dtype::kInt32},
    OtherName{"chalf", Dtype::kComplex32},   OtherName{"cfloat", Dtype::kComplex64},
    OtherName{"cdouble", Dtype::kComplex128}};

std::optional<Dtype> python_dtype(std::string_view name) {
  for (const OtherName& other : kOtherNames) {
    if (other.name == name) return other.dtype;
  }
  const auto found = dtype_named(name);
  return found == Dtype::kUndefined ? std::nullopt : found;
}

class ConstantReader {
 public:
  explicit ConstantReader(Reading& reading) : reading_(reading), lexer_(reading.lexer) {}

  Constant single(const Type& type);

 private:
  Constant word(const Type& type);
  Constant number(TypeKind kind);
  Constant number_of_pytorch(TypeKind kind, const std::string& text) const;
  Constant sum_of_parts(TypeKind kind, const Token& first, const std::string& text);
  Constant whole(const Token& token, const std::string& text) const;
  double real(const Token& token, const std::string& text) const;

  Reading& reading_;
  Lexer& lexer_;
};

bool is_real(std::string_view text) { return text.find_first_of(".eE") != std::string_view::npos; }

/// PyTorch's parser lets the exceptions of the C++ library escape (DSP-311).
double real_of_pytorch(const std::string& text) {
  const char* const begin = text.c_str();
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(begin, &end);
  if (end == begin) throw Error(ErrorKind::kValue, "stod");
  if (errno == ERANGE) throw Error(ErrorKind::kIndex, "stod");
  return value;
}

Constant ConstantReader::number_of_pytorch(TypeKind kind, const std::string& text) const {
  const bool ends_in_j = text.ends_with('j');
  if (kind == TypeKind::kComplex || ends_in_j) {
    return Constant(Complex(0, real_of_pytorch(text.substr(0, text.size() - 1))));
  }
  if (kind == TypeKind::kFloat || is_real(text)) return Constant(real_of_pytorch(text));
  errno = 0;
  const long long value = std::strtoll(text.c_str(), nullptr, 10);
  if (errno == ERANGE) throw Error(ErrorKind::kIndex, "stoll");
  return Constant(static_cast<std::int64_t>(value));
}

double ConstantReader::real(const Token& token, const std::string& text) const {
  if (text.find_first_of("xX") != std::string::npos) {
    lexer_.fail(token, "invalid numeric default value, which is not decimal");
  }
  const double value = std::strtod(text.c_str(), nullptr);
  if (std::isinf(value)) lexer_.fail(token, "the default value is out of range");
  return value;
}

Constant ConstantReader::whole(const Token& token, const std::string& text) const {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc::result_out_of_range) {
    lexer_.fail(token, "the default value is out of the range of 64 bits");
  }
  if (problem != std::errc() || stop != end) {
    lexer_.fail(token, "invalid numeric default value, which is not decimal");
  }
  return Constant(value);
}

/// Parses `1.5`, `2j` and `1.5+2j`, the printed form of complex numbers (DSP-309).
Constant ConstantReader::sum_of_parts(TypeKind kind, const Token& first, const std::string& text) {
  if (text.ends_with('j')) return Constant(Complex(0, real(first, text)));
  const bool has_imaginary = lexer_.is("+") || lexer_.is("-");
  if (has_imaginary) {
    const std::string sign(lexer_.take().text == "-" ? "-" : "");
    const Token second = lexer_.expect("number");
    if (!second.text.ends_with('j')) lexer_.fail(second, "expected the imaginary part");
    return Constant(Complex(real(first, text), real(second, sign + std::string(second.text))));
  }
  if (kind == TypeKind::kComplex) return Constant(Complex(real(first, text), 0));
  if (kind == TypeKind::kFloat || is_real(text)) return Constant(real(first, text));
  return whole(first, text);
}

Constant ConstantReader::number(TypeKind kind) {
  const std::string sign(lexer_.accept("-") ? "-" : "");
  const Token token = lexer_.expect("number");
  const std::string text = sign + std::string(token.text);
  return reading_.contract.is_strict ? sum_of_parts(kind, token, text)
                                     : number_of_pytorch(kind, text);
}

Constant ConstantReader::word(const Type& type) {
  const Token token = lexer_.take();
  for (const NamedNumber& known : kWords) {
    if (known.name == token.text) return Constant(known.number);
  }
  const Release release = reading_.contract.release;
  if (release >= Release::k2_11 && type.without_optional().is(TypeKind::kScalarType)) {
    if (const auto dtype = python_dtype(token.text)) return Constant(number_of(*dtype, release));
  }
  lexer_.fail(token, "invalid numeric default value");
}

Constant ConstantReader::single(const Type& type) {
  if (lexer_.accept("True")) return Constant(true);
  if (lexer_.accept("False")) return Constant(false);
  if (lexer_.accept("None")) return {};
  if (lexer_.is("string_literal")) return Constant(text_of_literal(lexer_.take().text));
  if (lexer_.is("ident")) return word(type);
  return number(type.kind());
}

}  // namespace

std::string text_of_literal(std::string_view literal) {
  std::string text;
  const std::string_view inside = literal.substr(1, literal.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool is_escape = inside[i] == '\\';
    if (is_escape) ++i;
    const char c = inside[i];
    const bool is_code = is_escape && (c == 'n' || c == 't' || c == 'r');
    text += !is_code ? c : c == 'n' ? '\n' : c == 't' ? '\t' : '\r';
  }
  return text;
}

Constant read_constant(Reading& reading, const Type& type) {
  return ConstantReader(reading).single(type);
}

// Default values.

namespace {

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
