// Parses constants: numbers, named numbers and strings.
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {
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

}  // namespace assay::cuda::dispatch
