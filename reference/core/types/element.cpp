// Loads, stores and converts single elements.
#include "reference/core/types/element.hpp"

#include <bit>

#include "reference/core/types/convert.hpp"

namespace assay::reference {
namespace {

struct Place {
  std::uint8_t* at;
  std::size_t size;
};

Place place_of(const Tensor& tensor, std::int64_t index) {
  std::uint8_t* const data = tensor.data();
  check(index >= 0 && index < tensor.numel() && data != nullptr, ErrorKind::kInternal, [&] {
    return "element " + std::to_string(index) + " of " + describe(tensor) + " has no data";
  });
  const std::size_t size = element_size(tensor.dtype());
  return {data + static_cast<std::size_t>(tensor.offset_of(index)) * size, size};
}

std::int64_t truncated(double value) {
  if (!(value >= -0x1p63 && value < 0x1p63)) return INT64_MIN;  // as on x86; undefined in C++
  return static_cast<std::int64_t>(value);
}

[[noreturn]] void refuse(ScalarType dtype) {
  throw Error(ErrorKind::kNotImplemented,
              "values of dtype " + std::string(name_of(dtype)) + " are not implemented");
}

}  // namespace

double real_of_bits(ScalarType dtype, std::uint64_t bits) {
  switch (dtype) {
    case ScalarType::kHalf:
      return float_from_half(static_cast<std::uint16_t>(bits));
    case ScalarType::kBFloat16:
      return float_from_bfloat16(static_cast<std::uint16_t>(bits));
    case ScalarType::kFloat:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ScalarType::kDouble:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<double>(integer_of_bits(dtype, bits));
  }
}

std::uint64_t bits_of_real(ScalarType dtype, double value) {
  switch (dtype) {
    case ScalarType::kHalf:
      return half_from_float(static_cast<float>(value));
    case ScalarType::kBFloat16:
      return bfloat16_from_float(static_cast<float>(value));
    case ScalarType::kFloat:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ScalarType::kDouble:
      return std::bit_cast<std::uint64_t>(value);
    case ScalarType::kBool:
      return value != 0 ? 1 : 0;
    default:
      return bits_of_integer(dtype, truncated(value));
  }
}

std::int64_t integer_of_bits(ScalarType dtype, std::uint64_t bits) {
  switch (dtype) {
    case ScalarType::kBool:
      return (bits & 0xff) != 0 ? 1 : 0;
    case ScalarType::kByte:
      return static_cast<std::uint8_t>(bits);
    case ScalarType::kChar:
      return static_cast<std::int8_t>(bits);
    case ScalarType::kShort:
      return static_cast<std::int16_t>(bits);
    case ScalarType::kInt:
      return static_cast<std::int32_t>(bits);
    case ScalarType::kLong:
      return static_cast<std::int64_t>(bits);
    case ScalarType::kHalf:
    case ScalarType::kBFloat16:
    case ScalarType::kFloat:
    case ScalarType::kDouble:
      return truncated(real_of_bits(dtype, bits));
    default:
      refuse(dtype);
  }
}

std::uint64_t bits_of_integer(ScalarType dtype, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  switch (dtype) {
    case ScalarType::kBool:
      return value != 0 ? 1 : 0;
    case ScalarType::kByte:
    case ScalarType::kChar:
      return bits & 0xff;
    case ScalarType::kShort:
      return bits & 0xffff;
    case ScalarType::kInt:
      return bits & 0xffffffff;
    case ScalarType::kLong:
      return bits;
    case ScalarType::kDouble:
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case ScalarType::kFloat:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ScalarType::kHalf:
      return half_from_float(static_cast<float>(value));
    case ScalarType::kBFloat16:
      return bfloat16_from_float(static_cast<float>(value));
    default:
      refuse(dtype);
  }
}

std::uint64_t bits_at(const Tensor& tensor, std::int64_t index) {
  const Place place = place_of(tensor, index);
  return load_bits(place.at, place.size);
}
void set_bits_at(const Tensor& tensor, std::int64_t index, std::uint64_t bits) {
  const Place place = place_of(tensor, index);
  store_bits(place.at, place.size, bits);
}
double real_at(const Tensor& tensor, std::int64_t index) {
  return real_of_bits(tensor.dtype(), bits_at(tensor, index));
}
void set_real_at(const Tensor& tensor, std::int64_t index, double value) {
  set_bits_at(tensor, index, bits_of_real(tensor.dtype(), value));
}
std::int64_t integer_at(const Tensor& tensor, std::int64_t index) {
  return integer_of_bits(tensor.dtype(), bits_at(tensor, index));
}
void set_integer_at(const Tensor& tensor, std::int64_t index, std::int64_t value) {
  set_bits_at(tensor, index, bits_of_integer(tensor.dtype(), value));
}

}  // namespace assay::reference
