// The table of element types.
#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {
namespace {

constexpr DtypeFacts floating(std::string_view name, std::string_view cpp_name, std::uint8_t size) {
  return {name, cpp_name, size, true, false, false, false, true};
}
constexpr DtypeFacts complex(std::string_view name, std::string_view cpp_name, std::uint8_t size) {
  return {name, cpp_name, size, false, true, false, false, true};
}
constexpr DtypeFacts integral(std::string_view name, std::string_view cpp_name, std::uint8_t size) {
  return {name, cpp_name, size, false, false, true, false, true};
}
constexpr DtypeFacts natural(std::string_view name, std::string_view cpp_name, std::uint8_t size) {
  return {name, cpp_name, size, false, false, true, false, false};
}
constexpr DtypeFacts quantized(std::string_view name, std::string_view cpp_name,
                               std::uint8_t size) {
  return {name, cpp_name, size, false, false, false, true, false};
}
constexpr DtypeFacts other(std::string_view name, std::string_view cpp_name, std::uint8_t size) {
  return {name, cpp_name, size, false, false, false, false, false};
}

}  // namespace

namespace detail {

/// Indexed by Dtype (CORE-01, CORE-02).
constexpr decltype(kFacts) kFacts = {
    natural("uint8", "Byte", 1),
    integral("int8", "Char", 1),
    integral("int16", "Short", 2),
    integral("int32", "Int", 4),
    integral("int64", "Long", 8),
    floating("float16", "Half", 2),
    floating("float32", "Float", 4),
    floating("float64", "Double", 8),
    complex("complex32", "ComplexHalf", 4),
    complex("complex64", "ComplexFloat", 8),
    complex("complex128", "ComplexDouble", 16),
    other("bool", "Bool", 1),
    quantized("qint8", "QInt8", 1),
    quantized("quint8", "QUInt8", 1),
    quantized("qint32", "QInt32", 4),
    floating("bfloat16", "BFloat16", 2),
    quantized("quint4x2", "QUInt4x2", 1),
    quantized("quint2x4", "QUInt2x4", 1),
    other("bits1x8", "Bits1x8", 1),
    other("bits2x4", "Bits2x4", 1),
    other("bits4x2", "Bits4x2", 1),
    other("bits8", "Bits8", 1),
    other("bits16", "Bits16", 2),
    floating("float8_e5m2", "Float8_e5m2", 1),
    floating("float8_e4m3fn", "Float8_e4m3fn", 1),
    floating("float8_e5m2fnuz", "Float8_e5m2fnuz", 1),
    floating("float8_e4m3fnuz", "Float8_e4m3fnuz", 1),
    natural("uint16", "UInt16", 2),
    natural("uint32", "UInt32", 4),
    natural("uint64", "UInt64", 8),
    other("undefined", "Undefined", 0),
};
static_assert(kFacts.back().name == "undefined");

}  // namespace detail

std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < detail::kFacts.size(); ++i) {
    if (detail::kFacts[i].name == name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

bool exists_in(Dtype dtype, Release release) {
  return release != Release::k1_13 || dtype <= Dtype::kQUInt2x4 || dtype == Dtype::kUndefined;
}

std::int64_t number_of(Dtype dtype, Release release) {
  if (dtype != Dtype::kUndefined) return static_cast<std::int64_t>(dtype);
  if (release == Release::k1_13) return 18;
  // After types that this runtime does not have.
  if (release == Release::k2_4) return 37;
  return release >= Release::k2_14 ? 47 : 46;
}

bool has_kernels(Dtype dtype) {
  const bool is_plain_integer = dtype <= Dtype::kInt64 || dtype == Dtype::kBool;
  const bool is_plain_float =
      dtype == Dtype::kFloat32 || dtype == Dtype::kFloat64 || is_half(dtype);
  return is_plain_integer || is_plain_float;
}

}  // namespace assay::cuda
