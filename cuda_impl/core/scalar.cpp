// Conversions of scalars.
#include "cuda_impl/core/scalar.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr double kMostHalf = 65504;
constexpr double kMostBfloat16 = 0x1.fep127;
constexpr double kTwoTo63 = 0x1p63;

/// The C++ type name in PyTorch's overflow message.
std::string_view c_name(Dtype dtype, Release release) {
  const bool is_old = release < Release::k2_11;
  switch (dtype) {
    case Dtype::kUInt8:
      return "uint8_t";
    case Dtype::kInt8:
      return "int8_t";
    case Dtype::kInt16:
      return "int16_t";
    case Dtype::kInt32:
      return "int";
    case Dtype::kInt64:
      return "int64_t";
    case Dtype::kFloat32:
      return "float";
    case Dtype::kFloat64:
      return "double";
    case Dtype::kFloat16:
      return is_old ? "at::Half" : "c10::Half";
    case Dtype::kBFloat16:
      return is_old ? "at::BFloat16" : "c10::BFloat16";
    default:
      return facts(dtype).cpp_name;
  }
}

double most_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
    case Dtype::kComplex32:
      return kMostHalf;
    case Dtype::kBFloat16:
      return kMostBfloat16;
    case Dtype::kFloat32:
    case Dtype::kComplex64:
      return static_cast<double>(std::numeric_limits<float>::max());
    default:
      return std::numeric_limits<double>::max();
  }
}

struct Range {
  std::int64_t least;
  std::int64_t most;
};

template <typename T>
constexpr Range range_of() {
  return {static_cast<std::int64_t>(std::numeric_limits<T>::min()),
          static_cast<std::int64_t>(std::numeric_limits<T>::max())};
}

Range range_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kUInt8:
      return range_of<std::uint8_t>();
    case Dtype::kInt8:
      return range_of<std::int8_t>();
    case Dtype::kInt16:
      return range_of<std::int16_t>();
    case Dtype::kInt32:
      return range_of<std::int32_t>();
    default:
      return range_of<std::int64_t>();
  }
}

/// Compares with the type's largest number, without rounding first. Infinity fits.
bool fits_float(double value, Dtype dtype) {
  return !(std::fabs(value) > most_of(dtype)) || std::isinf(value);
}

bool fits_integer(double value, Dtype dtype, const Contract& contract) {
  if (std::isnan(value)) return false;
  const Range range = range_of(dtype);
  const bool is_new = contract.release >= Release::k2_14;
  // PyTorch compared doubles, and the largest int64 rounds to 2^63 as a double.
  if (dtype == Dtype::kInt64 && (contract.is_strict || is_new) && value >= kTwoTo63) return false;
  const auto most = static_cast<double>(range.most);
  return value >= static_cast<double>(range.least) &&
         (value <= most || (is_new && value < most + 1));
}

bool fits_integer(std::int64_t value, Dtype dtype) {
  const Range range = range_of(dtype);
  if (!facts(dtype).is_signed && value < 0) return value >= -range.most;  // negative values wrap
  return value >= range.least && value <= range.most;
}

bool fits(std::int64_t value, Dtype dtype, const Contract&) {
  if (facts(dtype).is_integral) return fits_integer(value, dtype);
  return fits_float(static_cast<double>(value), dtype);
}
bool fits(bool, Dtype, const Contract&) { return true; }
bool fits(double value, Dtype dtype, const Contract& contract) {
  if (facts(dtype).is_integral) return fits_integer(value, dtype, contract);
  return fits_float(value, dtype);
}
bool fits(std::complex<double> value, Dtype dtype, const Contract& contract) {
  if (facts(dtype).is_complex) {
    return fits_float(value.real(), dtype) && fits_float(value.imag(), dtype);
  }
  return value.imag() == 0 && fits(value.real(), dtype, contract);
}

template <typename T>
void put(Element& element, const T& value, std::size_t offset = 0) {
  std::memcpy(element.data() + offset, &value, sizeof value);
}

template <typename T>
T get(const std::byte* element, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, element + offset, sizeof value);
  return value;
}

/// Converts to a half type through float32 (CAST-908).
template <typename T>
float single_of(T value) {
  return static_cast<float>(value);
}
float single_of(std::complex<double> value) { return static_cast<float>(value.real()); }

std::int64_t whole_of(std::int64_t value) { return value; }
std::int64_t whole_of(bool value) { return value ? 1 : 0; }
std::int64_t whole_of(double value) {
  if (value == kTwoTo63) return std::numeric_limits<std::int64_t>::min();  // as processors do
  if (!(value > -kTwoTo63 && value < kTwoTo63)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}
std::int64_t whole_of(std::complex<double> value) { return whole_of(value.real()); }

double double_of(std::complex<double> value) { return value.real(); }
template <typename T>
double double_of(T value) {
  return static_cast<double>(value);
}

double imaginary_of(std::complex<double> value) { return value.imag(); }
template <typename T>
double imaginary_of(T) {
  return 0;
}

template <typename T>
bool truth_of(T value) {
  return value != T{};
}

template <typename T>
Element converted(T value, Dtype dtype) {
  Element element{};
  switch (dtype) {
    case Dtype::kBool:
      put(element, static_cast<std::uint8_t>(truth_of(value)));
      break;
    case Dtype::kFloat16:
      put(element, __float2half_rn(single_of(value)));
      break;
    case Dtype::kBFloat16:
      put(element, __float2bfloat16_rn(single_of(value)));
      break;
    case Dtype::kFloat32:
      put(element, single_of(value));
      break;
    case Dtype::kFloat64:
      put(element, double_of(value));
      break;
    case Dtype::kComplex32:
      put(element, __float2half_rn(single_of(value)));
      put(element, __float2half_rn(static_cast<float>(imaginary_of(value))), 2);
      break;
    case Dtype::kComplex64:
      put(element, single_of(value));
      put(element, static_cast<float>(imaginary_of(value)), 4);
      break;
    case Dtype::kComplex128:
      put(element, double_of(value));
      put(element, imaginary_of(value), 8);
      break;
    default: {
      const std::int64_t whole = whole_of(value);
      std::memcpy(element.data(), &whole, size_bytes(dtype));  // little-endian: the low bytes
      break;
    }
  }
  return element;
}

Scalar complex_of(double real, double imaginary) { return std::complex<double>(real, imaginary); }

}  // namespace

double Scalar::real() const {
  return std::visit([](const auto& value) { return double_of(value); }, stored_);
}

std::string_view kind_of(const Scalar& scalar) {
  if (scalar.is<bool>()) return "bool";
  if (scalar.is<double>()) return "float";
  return scalar.is<std::int64_t>() ? "int" : "complex";
}

bool equal(const Scalar& a, const Scalar& b) {
  // CORE-06: a bool equals only bools.
  if (a.is<bool>() || b.is<bool>()) {
    return a.is<bool>() && b.is<bool>() && a.as<bool>() == b.as<bool>();
  }
  if (a.is<std::int64_t>() && b.is<std::int64_t>()) {
    return a.as<std::int64_t>() == b.as<std::int64_t>();
  }
  const auto imaginary = [](const Scalar& scalar) {
    return std::visit([](const auto& value) { return imaginary_of(value); }, scalar.stored());
  };
  return a.real() == b.real() && imaginary(a) == imaginary(b);
}

Scalar negated(const Scalar& scalar) {
  require(!scalar.is<bool>(), [] { return "a bool cannot be negated: use logical_not"; });
  if (scalar.is<double>()) return -scalar.as<double>();
  if (scalar.is<std::complex<double>>()) return -scalar.as<std::complex<double>>();
  // As unsigned, because the smallest int64 has no negation.
  return static_cast<std::int64_t>(-static_cast<std::uint64_t>(scalar.as<std::int64_t>()));
}

Element to_element(const Scalar& scalar, Dtype dtype, const Contract& contract) {
  const bool is_in_range =
      dtype == Dtype::kBool ||
      std::visit([&](const auto& value) { return fits(value, dtype, contract); }, scalar.stored());
  require(is_in_range, [&] {
    return "value cannot be converted to type " + std::string(c_name(dtype, contract.release)) +
           " without overflow";
  });
  // 1.13 tested only the real part.
  const bool is_old_truth = dtype == Dtype::kBool && contract.release == Release::k1_13 &&
                            scalar.is<std::complex<double>>();
  return to_element_unchecked(is_old_truth ? Scalar(scalar.real()) : scalar, dtype);
}

Element to_element_unchecked(const Scalar& scalar, Dtype dtype) {
  return std::visit([&](const auto& value) { return converted(value, dtype); }, scalar.stored());
}

Scalar from_element(const std::byte* element, Dtype dtype) {
  switch (dtype) {
    case Dtype::kBool:
      return get<std::uint8_t>(element) != 0;
    case Dtype::kUInt8:
      return std::int64_t{get<std::uint8_t>(element)};
    case Dtype::kInt8:
      return std::int64_t{get<std::int8_t>(element)};
    case Dtype::kInt16:
      return std::int64_t{get<std::int16_t>(element)};
    case Dtype::kInt32:
      return std::int64_t{get<std::int32_t>(element)};
    case Dtype::kInt64:
      return get<std::int64_t>(element);
    case Dtype::kFloat16:
      return static_cast<double>(__half2float(get<__half>(element)));
    case Dtype::kBFloat16:
      return static_cast<double>(__bfloat162float(get<__nv_bfloat16>(element)));
    case Dtype::kFloat32:
      return static_cast<double>(get<float>(element));
    case Dtype::kFloat64:
      return get<double>(element);
    case Dtype::kComplex32:
      return complex_of(static_cast<double>(__half2float(get<__half>(element))),
                        static_cast<double>(__half2float(get<__half>(element, 2))));
    case Dtype::kComplex64:
      return complex_of(static_cast<double>(get<float>(element)),
                        static_cast<double>(get<float>(element, 4)));
    case Dtype::kComplex128:
      return complex_of(get<double>(element), get<double>(element, 8));
    default:
      throw Error(ErrorKind::kNotImplemented,
                  "an element of " + std::string(facts(dtype).name) + " is no number here");
  }
}

}  // namespace assay::cuda
