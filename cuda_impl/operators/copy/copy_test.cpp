// Copies and conversions of all lengths and alignments, dense and strided, without writes outside
// the target.
#include "cuda_impl/operators/copy/copy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/sample.hpp"

namespace assay::cuda {
namespace {

using sample::dtype_of;
using sample::kGpu;
using sample::tensor_of;
using sample::values_of;

template <typename T>
auto bits_of(T value) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(value);
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  if constexpr (kIsHalf<T>) {
    std::uint16_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
}

/// Rounds a finite float to `digits` fraction
/// bits, arithmetically instead of on its bits.
float rounded(float value, int digits, int least_exponent) {
  if (value == 0) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const double unit = std::ldexp(1.0, exponent - digits);
  return static_cast<float>(std::nearbyint(static_cast<double>(value) / unit) * unit);
}

template <typename To, typename From>
To expected(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsHalf<From>) {
    return expected<To>(to_float(value));
  } else if constexpr (std::is_same_v<To, Half>) {
    return __float2half(rounded(static_cast<float>(value), 10, -14));
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return __float2bfloat16(rounded(static_cast<float>(value), 7, -126));
  } else {
    return static_cast<To>(value);
  }
}

/// Finite floats of all magnitudes in the range of float16.
template <typename T>
std::vector<T> fractions(std::size_t count) {
  std::vector<T> values;
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const double mantissa = 1 + static_cast<double>(state >> 8) * 0x1p-24;
    const int exponent = static_cast<int>(state % 39) - 25;
    const double value = std::ldexp(state % 2 == 0 ? mantissa : -mantissa, exponent);
    values.push_back(convert<T>(value));
  }
  return values;
}

constexpr std::int64_t kMost = 70;
constexpr std::int64_t kMostOffset = 15;

/// The value of the elements around the written slice, before and after.
constexpr float kUntouched = 7;

template <typename To, typename From>
void expect_slice(const std::vector<From>& values, const Tensor& source, std::int64_t length,
                  std::int64_t offset, std::int64_t step) {
  const auto total = static_cast<std::size_t>(kMost + 2 * kMostOffset);
  const Tensor target = tensor_of(std::vector<To>(total, convert<To>(kUntouched)));
  const std::int64_t target_offset = (offset * 7) % (kMostOffset + 1);
  copy_elements(as_strided(target, {length}, {1}, target_offset),
                as_strided(source, {length}, {step}, offset));

  const std::vector<To> got = values_of<To>(target);
  for (std::size_t i = 0; i < total; ++i) {
    const std::int64_t index = static_cast<std::int64_t>(i) - target_offset;
    const bool is_inside = index >= 0 && index < length;
    const To wanted = is_inside
                          ? expected<To>(values[static_cast<std::size_t>(offset + index * step)])
                          : convert<To>(kUntouched);
    ASSERT_EQ(bits_of(got[i]), bits_of(wanted))
        << "length " << length << ", offset " << offset << ", step " << step << ", element " << i;
  }
}

template <typename To, typename From>
void expect_every_slice() {
  SCOPED_TRACE(std::string(facts(dtype_of<From>()).name) + " to " +
               std::string(facts(dtype_of<To>()).name));
  const auto values = fractions<From>(static_cast<std::size_t>(kMostOffset + 3 * kMost));
  const Tensor source = tensor_of(values);
  for (std::int64_t offset = 0; offset <= kMostOffset; offset += 3) {
    for (std::int64_t length = 1; length <= kMost; length += 1 + length / 8) {
      expect_slice<To>(values, source, length, offset, 1);
      if (offset % 2 == 1) expect_slice<To>(values, source, length, offset, 3);
    }
  }
}

template <typename From>
void expect_every_target() {
  expect_every_slice<double, From>();
  expect_every_slice<float, From>();
  expect_every_slice<Half, From>();
  expect_every_slice<BFloat16, From>();
}

TEST(Copy, Float64BecomesEveryFloatAtEveryAlignment) { expect_every_target<double>(); }
TEST(Copy, Float32BecomesEveryFloatAtEveryAlignment) { expect_every_target<float>(); }
TEST(Copy, Float16BecomesEveryFloatAtEveryAlignment) { expect_every_target<Half>(); }
TEST(Copy, BFloat16BecomesEveryFloatAtEveryAlignment) { expect_every_target<BFloat16>(); }

TEST(Copy, RowsOfSeveralTilesAreConvertedToTheLastElement) {
  for (const std::size_t count : {4095u, 4096u, 4097u, 8192u, 20001u}) {
    const std::vector<float> values = fractions<float>(count);
    const std::vector<Half> halves = values_of<Half>(to(tensor_of(values), Dtype::kFloat16));
    ASSERT_EQ(halves.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(bits_of(halves[i]), bits_of(expected<Half>(values[i]))) << "element " << i;
    }
  }
}

std::vector<double> as_doubles(const Tensor& tensor) {
  return values_of<double>(to(tensor, Dtype::kFloat64));
}

template <typename To, typename From>
void expect_whole_numbers() {
  const std::vector<From> values = sample::numbers<From>(41);
  const Tensor source = tensor_of(values);
  const Tensor gaps = as_strided(source, {2, 7}, {19, 3}, 1);
  const auto got = as_doubles(to(source, dtype_of<To>()));
  const auto with_gaps = as_doubles(to(gaps, dtype_of<To>()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(got[i], convert<double>(convert<To>(values[i]))) << "element " << i;
  }
  for (std::size_t i = 0; i < with_gaps.size(); ++i) {
    const From value = values[1 + i / 7 * 19 + i % 7 * 3];
    ASSERT_EQ(with_gaps[i], convert<double>(convert<To>(value))) << "element " << i;
  }
}

template <typename From>
void expect_all_types() {
  SCOPED_TRACE(facts(dtype_of<From>()).name);
  expect_whole_numbers<double, From>();
  expect_whole_numbers<float, From>();
  expect_whole_numbers<Half, From>();
  expect_whole_numbers<BFloat16, From>();
  expect_whole_numbers<std::int64_t, From>();
  expect_whole_numbers<std::int32_t, From>();
  expect_whole_numbers<std::int16_t, From>();
  expect_whole_numbers<std::int8_t, From>();
  expect_whole_numbers<bool, From>();
  if constexpr (std::is_unsigned_v<From>) expect_whole_numbers<std::uint8_t, From>();
}

TEST(Copy, SmallWholeNumbersPassBetweenAllTypes) {
  expect_all_types<double>();
  expect_all_types<float>();
  expect_all_types<Half>();
  expect_all_types<BFloat16>();
  expect_all_types<std::int64_t>();
  expect_all_types<std::int32_t>();
  expect_all_types<std::int16_t>();
  expect_all_types<std::int8_t>();
  expect_all_types<std::uint8_t>();
}

TEST(Copy, WidthsOfElementsDoNotMatterToAPlainCopy) {
  const Tensor bytes = tensor_of(sample::numbers<std::uint8_t>(100));
  const Tensor turned = as_strided(bytes, {9, 11}, {1, 9}, 1);

  const std::vector<std::uint8_t> got = values_of<std::uint8_t>(contiguous(turned));

  const std::vector<std::uint8_t> all = values_of<std::uint8_t>(bytes);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], all[1 + i / 11 + i % 11 * 9]);
}

TEST(Copy, DimensionsInReversedOrderAreAllWalked) {
  constexpr std::size_t kDims = 11;
  const std::vector<float> values = fractions<float>(1u << kDims);
  Shape strides;
  for (std::size_t dim = 0; dim < kDims; ++dim) strides.push_back(std::int64_t{1} << dim);

  const auto got =
      values_of<float>(contiguous(as_strided(tensor_of(values), Shape(kDims, 2), strides, 0)));

  for (std::size_t i = 0; i < got.size(); ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 0; bit < kDims; ++bit) reversed |= (i >> bit & 1) << (kDims - 1 - bit);
    ASSERT_EQ(got[i], values[reversed]) << "element " << i;
  }
}

/// Makes a complex tensor from pairs of floats.
Tensor complex_of(const std::vector<float>& pairs, Device device) {
  const Tensor made =
      empty({static_cast<std::int64_t>(pairs.size() / 2)}, Dtype::kComplex64, device);
  write_elements(made, reinterpret_cast<const std::byte*>(pairs.data()));
  return made;
}

TEST(Copy, ComplexNumbersAreConvertedPartByPart) {
  for (const Device from : {kCpu, kGpu, cuda_device(1)}) {
    for (const Device there : {kCpu, kGpu, cuda_device(1)}) {
      const Tensor numbers = complex_of({1, 2, 3, 4}, from);
      ToOptions options;
      options.device = there;
      options.dtype = Dtype::kComplex128;
      const Tensor wide = to(numbers, options);
      EXPECT_EQ(values_of<double>(wide), (std::vector<double>{1, 2, 3, 4}));
      const Tensor second = as_strided(wide, {1}, {1}, 1);
      options.device = from;
      options.dtype = Dtype::kFloat32;
      EXPECT_EQ(values_of<float>(to(second, options)), (std::vector<float>{3}));
      options.device = there;
      options.dtype = Dtype::kComplex64;
      const Tensor real = tensor_of(std::vector<double>{5, 6}, from);
      EXPECT_EQ(values_of<float>(to(real, options)), (std::vector<float>{5, 0, 6, 0}));
    }
  }
}

}  // namespace
}  // namespace assay::cuda
