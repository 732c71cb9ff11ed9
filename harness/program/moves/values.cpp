// Generates random values, with a preference for edge cases.
#include "harness/program/moves/values.hpp"

#include <bit>

#include "harness/check/float_format.hpp"

namespace assay {
namespace {

std::uint64_t special_float(Random& random, const FloatFormat& format) {
  const std::uint64_t sign = std::uint64_t{1} << (format.mantissa_bits + format.exponent_bits);
  const std::uint64_t unit = std::uint64_t{1} << format.mantissa_bits;
  const std::uint64_t infinity = sign - unit;
  const std::uint64_t value =
      random.of({std::uint64_t{0}, std::uint64_t{1}, unit - 1, unit, infinity - 1, infinity,
                 infinity | unit >> 1, infinity | 1});
  return random.one_in(2) ? value : value | sign;
}

/// A small integer in any type.
std::uint64_t bits_of_whole(std::int64_t value, Dtype dtype) {
  if (!is_floating(dtype))
    return static_cast<std::uint64_t>(dtype == Dtype::kUint8 ? value + 3 : value);
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  const auto [mantissa_bits, exponent_bits] = format_of(dtype);
  if (dtype == Dtype::kFloat64) return bits;
  if (value == 0) return 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const std::uint64_t exponent = (bits >> 52 & 0x7ff) - 1023 + static_cast<std::uint64_t>(bias);
  const std::uint64_t fraction = (bits & ((std::uint64_t{1} << 52) - 1)) >> (52 - mantissa_bits);
  return (bits >> 63) << (mantissa_bits + exponent_bits) | exponent << mantissa_bits | fraction;
}

std::uint64_t whole(Random& random, Dtype dtype) {
  return bits_of_whole(random.between(-3, 3), dtype);
}

std::uint64_t cut_to(std::uint64_t bits, Dtype dtype) {
  if (dtype == Dtype::kBool) return bits & 1;
  const std::size_t width = bits_per_element(dtype);
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

template <typename Element>
TensorValue tensor_with(Dtype dtype, std::vector<std::int64_t> shape, const Element& element) {
  TensorValue tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  const auto numel = static_cast<std::size_t>(tensor.numel());
  tensor.data.resize(numel * bits_per_element(dtype) / 8);
  for (std::size_t i = 0; i < numel; ++i) tensor.set_bits(i, cut_to(element(), dtype));
  return tensor;
}

}  // namespace

Dtype random_dtype(Random& random) {
  if (random.below(4) > 0) return random_float_dtype(random);
  return random.of({Dtype::kInt32, Dtype::kInt64, Dtype::kUint8, Dtype::kBool, Dtype::kInt8});
}

Dtype random_float_dtype(Random& random) {
  return random.of(
      {Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16, Dtype::kFloat64});
}

std::vector<std::int64_t> random_shape(Random& random) {
  if (random.one_in(6)) return {};
  std::vector<std::int64_t> shape;
  for (std::int64_t dims = random.between(1, 3); dims > 0; --dims) {
    shape.push_back(random.one_in(16) ? 0 : random.between(1, 4));
  }
  return shape;
}

std::uint64_t random_element(Random& random, Dtype dtype) {
  if (!is_floating(dtype)) return random.one_in(3) ? random.bits() : whole(random, dtype);
  switch (random.below(4)) {
    case 0:
      return special_float(random, format_of(dtype));
    case 1:
      return random.bits();
    default:
      return whole(random, dtype);
  }
}

TensorValue random_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape) {
  return tensor_with(dtype, std::move(shape), [&] { return random_element(random, dtype); });
}

TensorValue small_tensor(Random& random, Dtype dtype, std::vector<std::int64_t> shape) {
  const auto element = [&] {
    const std::uint64_t bits = whole(random, dtype);
    return bits == 0 ? bits_of_whole(1, dtype) : bits;
  };
  return tensor_with(dtype, std::move(shape), element);
}

double random_real(Random& random) {
  return std::bit_cast<double>(random_element(random, Dtype::kFloat64));
}

Value random_scalar(Random& random) {
  switch (random.below(3)) {
    case 0:
      return random.one_in(2);
    case 1:
      return random.one_in(3) ? static_cast<std::int64_t>(random.bits()) : random.between(-9, 300);
    default:
      return random_real(random);
  }
}

Ref new_tensor(Draft& draft, Dtype dtype, std::vector<std::int64_t> shape, bool leaf) {
  TensorValue value = random_tensor(draft.random(), dtype, shape);
  if (draft.random().one_in(5)) value.device = draft.device();
  Fields with{{"value", std::move(value)}};
  if (leaf) with.set("requires_grad", true);
  return Ref{draft.make("core.tensor", std::move(with), {"", "tensor", dtype, std::move(shape)})};
}

Ref some_tensor(Draft& draft) {
  if (const Known* known = draft.any("tensor")) return Ref{known->name};
  Random& random = draft.random();
  return new_tensor(draft, random_dtype(random), random_shape(random), false);
}

}  // namespace assay
