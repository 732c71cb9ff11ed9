// Rounding on a device: each operation and conversion once, and what NaNs become.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"

namespace assay::cuda {
namespace rounding_test {

template <typename Function, typename In, typename Out>
__global__ void apply_kernel(Function function, const In* in, Out* out, std::size_t count) {
  const auto i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) out[i] = function(in[i]);
}

template <typename Real>
struct Operands {
  Real a, b, c;
};

template <typename Real>
struct SumWithProduct {
  __device__ Real operator()(Operands<Real> x) const { return x.a * x.b + x.c; }
};
template <typename Real>
struct MultiplyAdd {
  __device__ Real operator()(Operands<Real> x) const { return multiply_add(x.a, x.b, x.c); }
};
template <typename Real>
struct Quotient {
  __device__ Real operator()(Operands<Real> x) const { return x.a / x.b; }
};
template <typename Real>
struct Root {
  __device__ Real operator()(Real x) const { return std::sqrt(x); }
};
struct Reciprocal {
  __device__ float operator()(float x) const { return __frcp_rn(x); }
};
struct Whole {
  __device__ float operator()(float x) const { return rintf(x); }
};
template <typename To, typename From>
struct Conversion {
  __device__ To operator()(From x) const { return convert<To>(x); }
};
struct Greater {
  __device__ float operator()(Operands<float> x) const {
    return Combine<float>{Combination::kMax}(x.a, x.b);
  }
};

/// The numbers as their bits, so that NaNs and zeros are told apart.
template <typename Word, typename T>
std::vector<Word> bits_of(const std::vector<T>& values) {
  static_assert(sizeof(Word) == sizeof(T));
  std::vector<Word> words;
  for (const T& value : values) words.push_back(std::bit_cast<Word>(value));
  return words;
}

template <typename Out, typename Function, typename In>
std::vector<Out> on_the_device(const Function& function, const std::vector<In>& values) {
  const Storage in(cuda_device(0), values.size() * sizeof(In));
  const Storage out(cuda_device(0), values.size() * sizeof(Out));
  cuda_check(
      cudaMemcpy(in.data(), values.data(), values.size() * sizeof(In), cudaMemcpyHostToDevice));
  const auto blocks = static_cast<unsigned>((values.size() + 255) / 256);
  launch(apply_kernel<Function, In, Out>, {.grid = blocks, .block = 256}, function,
         reinterpret_cast<const In*>(in.data()), reinterpret_cast<Out*>(out.data()), values.size());
  std::vector<Out> results(values.size());
  cuda_check(
      cudaMemcpy(results.data(), out.data(), results.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  return results;
}

TEST(DeviceArithmetic, RoundsAProductAndItsSumEachAndAMultiplyAddOnce) {
  const std::vector<Operands<float>> floats{{0x1.001p0f, 0x1.001p0f, -0x1.002p0f}};
  const std::vector<Operands<double>> doubles{{0x1.0000002p0, 0x1.0000002p0, -0x1.0000004p0}};

  EXPECT_EQ(on_the_device<float>(SumWithProduct<float>{}, floats), std::vector{0.0f});
  EXPECT_EQ(on_the_device<float>(MultiplyAdd<float>{}, floats), std::vector{0x1p-24f});
  EXPECT_EQ(on_the_device<double>(SumWithProduct<double>{}, doubles), std::vector{0.0});
  EXPECT_EQ(on_the_device<double>(MultiplyAdd<double>{}, doubles), std::vector{0x1p-54});
}

TEST(DeviceArithmetic, KeepsSubnormalNumbersAndRoundsHalvesToEven) {
  const std::vector<Operands<float>> floats{{0x1p-126f, 0.5f, 0.0f},
                                            {0x1p-149f, 0.5f, 0.0f},
                                            {0x1.8p-148f, 0.5f, 0.0f},
                                            {0x1p-149f, 1.0f, 0x1p-149f}};
  const std::vector<Operands<double>> doubles{{0x1p-1022, 0.5, 0.0}, {0x1.8p-1073, 0.5, 0.0}};

  EXPECT_EQ(on_the_device<float>(SumWithProduct<float>{}, floats),
            (std::vector{0x1p-127f, 0.0f, 0x1p-148f, 0x1p-148f}));
  EXPECT_EQ(on_the_device<double>(SumWithProduct<double>{}, doubles),
            (std::vector{0x1p-1023, 0x1p-1073}));
}

TEST(DeviceArithmetic, RoundsQuotientsRootsAndReciprocals) {
  EXPECT_EQ(on_the_device<float>(Quotient<float>{},
                                 std::vector<Operands<float>>{{1, 3, 0}, {0x1p-126f, 4, 0}}),
            (std::vector{0x1.555556p-2f, 0x1p-128f}));
  EXPECT_EQ(on_the_device<double>(Quotient<double>{}, std::vector<Operands<double>>{{1, 3, 0}}),
            std::vector{0x1.5555555555555p-2});
  EXPECT_EQ(on_the_device<float>(Root<float>{}, std::vector{2.0f, 0x1p-149f, -0.0f}),
            (std::vector{0x1.6a09e6p0f, 0x1.6a09e6p-75f, -0.0f}));
  EXPECT_EQ(on_the_device<double>(Root<double>{}, std::vector{2.0}),
            std::vector{0x1.6a09e667f3bcdp0});
  EXPECT_EQ(
      on_the_device<float>(Reciprocal{}, std::vector{3.0f, 0x1p-128f, 0x1.fffffep127f, -0.0f}),
      (std::vector{0x1.555556p-2f, INFINITY, 0x1p-128f, -INFINITY}));
}

TEST(DeviceArithmetic, RoundsToWholeNumbersWithHalvesToEven) {
  const auto wholes =
      on_the_device<float>(Whole{}, std::vector{0.5f, 1.5f, 2.5f, -0.5f, 0x1.000002p23f});

  EXPECT_EQ(bits_of<std::uint32_t>(wholes),
            bits_of<std::uint32_t>(std::vector{0.0f, 2.0f, 2.0f, -0.0f, 0x1.000002p23f}));
}

TEST(DeviceArithmetic, TakesTheSecondOfTwoZerosAndEitherNan) {
  const auto greater = on_the_device<float>(
      Greater{}, std::vector<Operands<float>>{
                     {-0.0f, 0.0f, 0}, {0.0f, -0.0f, 0}, {NAN, 1.0f, 0}, {1.0f, NAN, 0}});

  EXPECT_FALSE(std::signbit(greater[0]));
  EXPECT_TRUE(std::signbit(greater[1]));
  EXPECT_TRUE(std::isnan(greater[2]) && std::isnan(greater[3]));
}

/// The value of a half, infinity as the number that would follow.
double value_of_half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
/// The same of a bfloat16.
double value_of_brain(std::uint32_t bits) {
  if ((bits & 0x7fff) == 0x7f80) return bits == 0x7f80 ? 0x1p128 : -0x1p128;
  return std::bit_cast<float>(bits << 16);
}

TEST(DeviceConversion, WidensEveryHalf) {
  std::vector<Half> halves;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(std::bit_cast<Half>(static_cast<std::uint16_t>(bits)));
    const std::uint32_t sign = bits >> 15 << 31;
    const bool is_finite = (bits & 0x7c00) != 0x7c00;
    const auto value = static_cast<float>(value_of_half(bits));
    const std::uint32_t other = (bits & 0x3ff) == 0 ? sign | 0x7f800000 : 0x7fffffff;
    expected.push_back(is_finite ? std::bit_cast<std::uint32_t>(value) : other);
  }

  EXPECT_EQ(bits_of<std::uint32_t>(on_the_device<float>(Conversion<float, Half>{}, halves)),
            expected);
}

TEST(DeviceConversion, WidensEveryBfloat16ByAShift) {
  std::vector<BFloat16> halves;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(std::bit_cast<BFloat16>(static_cast<std::uint16_t>(bits)));
    expected.push_back(bits << 16);
  }

  EXPECT_EQ(bits_of<std::uint32_t>(on_the_device<float>(Conversion<float, BFloat16>{}, halves)),
            expected);
}

/// Around the middle between each half and the next one; infinity follows the largest.
template <typename T>
void expect_nearest(std::uint32_t infinity, double (*value_of)(std::uint32_t)) {
  std::vector<float> values;
  std::vector<std::uint16_t> expected;
  for (const std::uint32_t sign : {0u, 0x8000u}) {
    for (std::uint32_t bits = sign; bits < sign + infinity; ++bits) {
      const auto middle = static_cast<float>((value_of(bits) + value_of(bits + 1)) / 2);
      values.push_back(std::nextafter(middle, 0.0f));
      values.push_back(middle);
      values.push_back(std::nextafter(middle, sign == 0 ? INFINITY : -INFINITY));
      const auto low = static_cast<std::uint16_t>(bits);
      const auto high = static_cast<std::uint16_t>(bits + 1);
      expected.insert(expected.end(), {low, bits % 2 == 0 ? low : high, high});
    }
  }

  EXPECT_EQ(bits_of<std::uint16_t>(on_the_device<T>(Conversion<T, float>{}, values)), expected);
}

TEST(DeviceConversion, NarrowsToTheNearestHalf) { expect_nearest<Half>(0x7c00, value_of_half); }
TEST(DeviceConversion, NarrowsToTheNearestBfloat16) {
  expect_nearest<BFloat16>(0x7f80, value_of_brain);
}

TEST(DeviceConversion, NarrowsEveryNanToOne) {
  std::vector<float> nans;
  for (const std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffc02000u})
    nans.push_back(std::bit_cast<float>(bits));
  const std::vector<std::uint16_t> one(nans.size(), 0x7fff);

  EXPECT_EQ(bits_of<std::uint16_t>(on_the_device<Half>(Conversion<Half, float>{}, nans)), one);
  EXPECT_EQ(bits_of<std::uint16_t>(on_the_device<BFloat16>(Conversion<BFloat16, float>{}, nans)),
            one);
}

TEST(DeviceConversion, BetweenFloatAndDoubleKeepsWhatFitsOfANan) {
  const std::vector doubles{std::bit_cast<double>(0x7ff0000000000001u),
                            std::bit_cast<double>(0xfff8000020000000u), 0x1.000001p0};
  const std::vector floats{std::bit_cast<float>(0x7f800001u), std::bit_cast<float>(0xffc00001u)};

  EXPECT_EQ(bits_of<std::uint32_t>(on_the_device<float>(Conversion<float, double>{}, doubles)),
            (std::vector{0x7fc00000u, 0xffc00001u, 0x3f800000u}));
  EXPECT_EQ(bits_of<std::uint64_t>(on_the_device<double>(Conversion<double, float>{}, floats)),
            (std::vector<std::uint64_t>{0x7ff8000020000000u, 0xfff8000020000000u}));
}

TEST(DeviceConversion, OfWholeNumbersRoundsToEvenAndWraps) {
  EXPECT_EQ(on_the_device<float>(Conversion<float, std::int64_t>{},
                                 std::vector<std::int64_t>{16777217, 16777219, -16777217}),
            (std::vector{16777216.0f, 16777220.0f, -16777216.0f}));
  EXPECT_EQ(on_the_device<float>(
                Conversion<float, std::uint64_t>{},
                std::vector<std::uint64_t>{0x8000008000000000u, 0x8000008000000001u, ~0u}),
            (std::vector{0x1p63f, 0x1.000002p63f, 0x1p32f}));
  EXPECT_EQ(on_the_device<double>(Conversion<double, std::int64_t>{},
                                  std::vector<std::int64_t>{(1LL << 53) + 1, (1LL << 53) + 3}),
            (std::vector{0x1p53, 0x1p53 + 4}));
  EXPECT_EQ(
      on_the_device<std::uint8_t>(Conversion<std::uint8_t, float>{}, std::vector{-1.5f, 257.0f}),
      (std::vector<std::uint8_t>{255, 1}));
}

}  // namespace rounding_test
}  // namespace assay::cuda
