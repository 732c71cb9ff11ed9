// Makes tensors by value; values must be exact.
#include "harness/suite/tensors.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "harness/check/float_format.hpp"

namespace assay {
namespace {

[[noreturn]] void inexact(Dtype dtype, double value) {
  throw std::invalid_argument(std::to_string(value) + " is not exact in " +
                              std::string(name_of(dtype)));
}

/// Decomposes the value and assembles it in the smaller format; values that are not exact are
/// rejected.
std::uint64_t float_bits(Dtype dtype, double value) {
  const auto [mantissa_bits, exponent_bits] = format_of(dtype);
  const std::uint64_t sign =
      std::signbit(value) ? std::uint64_t{1} << (mantissa_bits + exponent_bits) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  if (std::isnan(value)) return sign | infinity | (std::uint64_t{1} << (mantissa_bits - 1));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;

  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const double scaled = std::ldexp(std::fabs(value), mantissa_bits - exponent);
  if (scaled != std::floor(scaled) || exponent > bias) inexact(dtype, value);
  // The leading bit of a normal number carries into the exponent field; a subnormal has none.
  const auto units = static_cast<std::uint64_t>(scaled);
  return sign | ((static_cast<std::uint64_t>(exponent + bias - 1) << mantissa_bits) + units);
}

std::uint64_t integer_bits(Dtype dtype, double value) {
  const auto integer = static_cast<std::int64_t>(value);
  if (static_cast<double>(integer) != value) inexact(dtype, value);
  const std::size_t width = bits_per_element(dtype);
  if (width == 64) return static_cast<std::uint64_t>(integer);
  const bool is_unsigned = dtype == Dtype::kUint8 || dtype == Dtype::kBool;
  const std::int64_t limit = std::int64_t{1} << (is_unsigned ? width : width - 1);
  const std::int64_t least = is_unsigned ? 0 : -limit;
  if (integer < least || integer >= limit) inexact(dtype, value);
  return static_cast<std::uint64_t>(integer) & ((std::uint64_t{1} << width) - 1);
}

TensorValue empty_of(Dtype dtype, std::vector<std::int64_t> shape) {
  TensorValue tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.data.resize(static_cast<std::size_t>(tensor.numel()) * bits_per_element(dtype) / 8);
  return tensor;
}

}  // namespace

std::uint64_t exact_bits(Dtype dtype, double value) {
  return is_floating(dtype) ? float_bits(dtype, value) : integer_bits(dtype, value);
}

TensorValue tensor_of(Dtype dtype, const std::vector<double>& values) {
  TensorValue tensor = empty_of(dtype, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_bits(i, exact_bits(dtype, values[i]));
  return tensor;
}

TensorValue from_bits(Dtype dtype, const std::vector<std::uint64_t>& bits) {
  TensorValue tensor = empty_of(dtype, {static_cast<std::int64_t>(bits.size())});
  for (std::size_t i = 0; i < bits.size(); ++i) tensor.set_bits(i, bits[i]);
  return tensor;
}

TensorValue scalar_of(Dtype dtype, double value) {
  return scalar_bits(dtype, exact_bits(dtype, value));
}

TensorValue scalar_bits(Dtype dtype, std::uint64_t bits) {
  TensorValue tensor = empty_of(dtype, {});
  tensor.set_bits(0, bits);
  return tensor;
}

TensorValue filled(Dtype dtype, std::int64_t numel, double value) {
  TensorValue tensor = empty_of(dtype, {numel});
  const std::uint64_t bits = exact_bits(dtype, value);
  for (std::int64_t i = 0; i < numel; ++i) tensor.set_bits(static_cast<std::size_t>(i), bits);
  return tensor;
}

TensorValue by_recipe(Dtype dtype, std::int64_t numel, Recipe recipe) {
  TensorValue tensor;
  tensor.dtype = dtype;
  tensor.shape = {numel};
  tensor.recipe = std::move(recipe);
  return tensor;
}

TensorValue shaped(TensorValue tensor, std::vector<std::int64_t> shape) {
  const std::int64_t before = tensor.numel();
  tensor.shape = std::move(shape);
  if (tensor.numel() != before)
    throw std::invalid_argument("the new shape has a different number of elements");
  return tensor;
}

TensorValue on(TensorValue tensor, Device device) {
  tensor.device = std::move(device);
  return tensor;
}

TensorValue strided(TensorValue tensor, std::vector<std::int64_t> strides) {
  tensor.strides = std::move(strides);
  return tensor;
}

}  // namespace assay
