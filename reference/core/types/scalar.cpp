// Implements CORE-06 and CORE-07.
#include "reference/core/types/scalar.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

struct Range {
  double lowest;
  double largest;
};

/// The range of values that a dtype can hold.
Range range_of(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::kByte:
      return {0, 255};
    case ScalarType::kChar:
      return {-128, 127};
    case ScalarType::kShort:
      return {-32768, 32767};
    case ScalarType::kInt:
      return {-2147483648.0, 2147483647.0};
    case ScalarType::kLong:
      return {-0x1p63, 0x1p63};
    case ScalarType::kHalf:
      return {-65504, 65504};
    case ScalarType::kBFloat16:
      return {-0x1.fep127, 0x1.fep127};
    case ScalarType::kFloat:
      return {-0x1.fffffep127, 0x1.fffffep127};
    default:
      return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  }
}

std::string_view c_name_of(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::kByte:
      return "uint8_t";
    case ScalarType::kChar:
      return "int8_t";
    case ScalarType::kShort:
      return "int16_t";
    case ScalarType::kInt:
      return "int";
    case ScalarType::kLong:
      return "int64_t";
    case ScalarType::kFloat:
      return "float";
    case ScalarType::kDouble:
      return "double";
    default:
      return cpp_name_of(dtype);
  }
}

[[noreturn]] void overflow(ScalarType dtype) {
  throw Error("value cannot be converted to type " + std::string(c_name_of(dtype)) + " (" +
              std::string(name_of(dtype)) + ", " + std::string(cpp_name_of(dtype)) +
              ") without overflow");
}

bool fits(std::int64_t value, ScalarType dtype) {
  if (dtype == ScalarType::kLong || dtype == ScalarType::kBool) return true;
  const Range range = range_of(dtype);
  const auto real = static_cast<double>(value);
  if (dtype == ScalarType::kByte) {
    return real <= range.largest && real >= -range.largest;  // CORE-07: -1 wraps, -256 does not fit
  }
  return real >= range.lowest && real <= range.largest;
}

bool fits(double value, ScalarType dtype, const Contract& contract) {
  if (dtype == ScalarType::kBool) return true;
  const bool is_whole = is_integral(dtype, false);
  if (std::isnan(value)) return !is_whole;
  if (std::isinf(value)) return !is_whole;
  const Range range = range_of(dtype);
  const bool is_cut_first = is_whole && contract.at_least(Release::k2_14);
  // [DEV] of CORE-07: PyTorch compares with 2^63, the double that is nearest to the largest int64.
  const bool is_edge = dtype == ScalarType::kLong && value == 0x1p63;
  if (is_edge) return !contract.strict() && !is_cut_first;
  return value >= range.lowest && (is_cut_first ? std::trunc(value) : value) <= range.largest;
}

}  // namespace

ScalarType Scalar::type() const {
  switch (value_.index()) {
    case 0:
      return ScalarType::kLong;
    case 1:
      return ScalarType::kBool;
    case 2:
      return ScalarType::kDouble;
    default:
      return ScalarType::kComplexDouble;
  }
}

bool Scalar::equal(const Scalar& other) const {
  const bool is_bool = type() == ScalarType::kBool;
  const bool other_is_bool = other.type() == ScalarType::kBool;
  if (is_bool != other_is_bool) return false;
  if (const auto* left = std::get_if<std::int64_t>(&value_)) {
    if (const auto* right = std::get_if<std::int64_t>(&other.value_)) return *left == *right;
  }
  const auto complex_of_value = [](const Scalar& scalar) {
    const auto* held = std::get_if<std::complex<double>>(&scalar.value_);
    return held != nullptr ? *held : std::complex<double>(scalar.real());
  };
  return complex_of_value(*this) == complex_of_value(other);
}

Scalar Scalar::negated() const {
  check(type() != ScalarType::kBool, [] { return "the negative of a bool scalar is not defined"; });
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*whole));
  }
  if (const auto* complex = std::get_if<std::complex<double>>(&value_)) return -*complex;
  return -real();
}

double Scalar::real() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  if (const auto* truth = std::get_if<bool>(&value_)) return *truth ? 1 : 0;
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  const auto complex = std::get<std::complex<double>>(value_);
  check(complex.imag() == 0, [] {
    return "a complex number with an imaginary part cannot be converted to a real type without "
           "overflow";
  });
  return complex.real();
}

std::uint64_t Scalar::bits_as(ScalarType dtype, const Contract& contract) const {
  if (const auto* truth = std::get_if<bool>(&value_)) return bits_of_integer(dtype, *truth ? 1 : 0);
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
    if (!fits(*whole, dtype)) overflow(dtype);
    return bits_of_integer(dtype, *whole);
  }
  const auto* complex = std::get_if<std::complex<double>>(&value_);
  if (complex != nullptr && dtype == ScalarType::kBool) {
    return complex->real() != 0 || (complex->imag() != 0 && contract.at_least(Release::k2_4));
  }
  if (complex != nullptr && complex->imag() != 0) overflow(dtype);
  const double value = real();
  if (!fits(value, dtype, contract)) overflow(dtype);
  return bits_of_real(dtype, value);
}

}  // namespace assay::reference
