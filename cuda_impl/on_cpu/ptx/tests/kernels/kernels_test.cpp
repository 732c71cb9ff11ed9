// Whole kernels of nvcc, translated and run on the scheduler, against plain C++.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

#include "cuda_impl/on_cpu/ptx/tests/kernels/table.hpp"
#include "cuda_impl/on_cpu/ptx/translated.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu::testing {
namespace {

template <class T>
struct alignas(16) Parameter {
  T value;
};

struct Shape {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
  std::size_t dynamic_bytes = 0;
};

template <class... Arguments>
void launch(const char* name, Shape shape, const Arguments&... arguments) {
  const auto* kernel = find_translated_kernel(name);
  ASSERT_NE(kernel, nullptr) << name;
  ASSERT_EQ(kernel->parameter_bytes.size(), sizeof...(arguments));
  auto copies = std::make_tuple(Parameter<Arguments>{arguments}...);
  std::apply(
      [&](auto&... copy) {
        void* const parameters[] = {&copy...};
        run_grid({.grid = {shape.blocks},
                  .block = {shape.threads},
                  .static_shared_bytes = kernel->static_shared_bytes,
                  .shared = kernel->shared,
                  .dynamic_shared_bytes = shape.dynamic_bytes},
                 [&] { kernel->run(parameters); });
      },
      copies);
}

template <class T>
std::vector<T> counted(std::size_t count, T first = T{0}) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

template <class T>
void expect_block_sums(const char* name) {
  const auto values = counted<T>(512);
  std::vector<T> sums(4);

  launch(name, {4, 128}, values.data(), sums.data());

  EXPECT_EQ(sums, (std::vector<T>{8128, 24512, 40896, 57280}));
}

TEST(Kernels, SumBlocksWithCub) {
  expect_block_sums<float>("block_sum_float");
  expect_block_sums<int>("block_sum_int");
  expect_block_sums<double>("block_sum_double");
}

TEST(Kernels, ScanABlockWithCub) {
  const auto values = counted<int>(128, 5);
  std::vector<int> expected(128);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  std::vector<int> prefixes(128);

  launch("block_scan", {1, 128}, values.data(), prefixes.data());

  EXPECT_EQ(prefixes, expected);
}

TEST(Kernels, VoteAndShuffleInWarps) {
  auto values = counted<int>(64);
  std::vector<int> out(64);

  launch("warp_votes", {1, 64}, values.data(), out.data());

  for (int i = 0; i < 64; ++i) {
    const int sum = i < 32 ? 496 : 1520;
    EXPECT_EQ(out[static_cast<std::size_t>(i)], sum * 1000 + i % 32 / 2 * 10 + (i < 32 ? 0 : 1))
        << i;
  }
}

TEST(Kernels, HaveStaticAndDynamicSharedMemory) {
  auto values = counted<int>(96);
  auto expected = values;
  for (std::size_t i = 0; i < 96; ++i) expected[i] = static_cast<int>(95 - i) + 95;

  launch("turn_around", {1, 96, 96 * sizeof(int)}, values.data());

  EXPECT_EQ(values, expected);
}

TEST(Kernels, ReadAndWriteSixteenBytesAtOnce) {
  struct alignas(16) Four {
    float values[4];
  };
  std::vector<Four> values(32, Four{{1, 2, 3, 4}});
  const std::vector<Four> factors(32, Four{{0.5F, -1, 1e30F, 0}});

  launch("multiply_by_four", {}, values.data(), factors.data());

  EXPECT_EQ(values[31].values[0], 0.5F);
  EXPECT_EQ(values[31].values[1], -2.0F);
  EXPECT_EQ(values[0].values[2], 3 * 1e30F);
  EXPECT_EQ(values[0].values[3], 0.0F);
}

TEST(Kernels, FaultAtMisalignedAddresses) {
  alignas(8) const char bytes[8] = {};
  int out = 0;

  EXPECT_THROW(launch("read_between", {1, 1}, static_cast<const char*>(bytes), &out), KernelFault);
}

/// The value of a half with few bits.
float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const float magnitude = std::ldexp(static_cast<float>((bits & 1023) + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint16_t half_of(float value) {
  const int exponent = std::ilogb(value);
  const auto fraction = static_cast<int>(std::ldexp(std::fabs(value), 10 - exponent)) - 1024;
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction);
}

TEST(Kernels, ComputeWithHalves) {
  std::vector<std::uint16_t> a(32);
  std::vector<std::uint16_t> b(32);
  std::vector<std::uint16_t> out(32);
  std::vector<float> wide(32);
  for (int i = 0; i < 32; ++i) {
    a[static_cast<std::size_t>(i)] = half_of(static_cast<float>(i - 12) + 0.5F);
    b[static_cast<std::size_t>(i)] = half_of(2.25F);
  }

  launch("halves", {}, a.data(), b.data(), out.data(), wide.data());

  for (std::size_t i = 0; i < 32; ++i) {
    const float x = half_value(a[i]);
    const float y = half_value(b[i]);
    EXPECT_EQ(half_value(out[i]), x < y ? x * y + x : x * y + y) << i;
    EXPECT_EQ(wide[i], x / y) << i;
  }
}

TEST(Kernels, RoundToBrainHalves) {
  auto values = counted<float>(32, 100.0F);
  std::vector<std::uint16_t> out(32);
  std::vector<float> wide(32);

  launch("brain_halves", {}, values.data(), out.data(), wide.data());

  for (std::size_t i = 0; i < 32; ++i) {
    const float tripled =
        values[i] * 3;  // of 256 to 511: steps of 2, halfway cases to the even one
    EXPECT_EQ(wide[i], 2 * std::nearbyint(tripled / 2) + 1) << i;
    EXPECT_EQ(std::bit_cast<float>(std::uint32_t{out[i]} << 16) + 1, wide[i]) << i;
  }
}

TEST(Kernels, AgreeByAtomics) {
  std::vector<int> counts(5);
  float sum = 0;
  double precise_sum = 0;
  std::uint64_t largest = 0;
  int order = 0;

  launch("atomics", {8, 64}, counts.data(), &sum, &precise_sum, &largest, &order);

  EXPECT_EQ(counts, (std::vector<int>{128, 128, 128, 128, 7}));
  EXPECT_EQ(sum, 256.0F);
  EXPECT_EQ(precise_sum, 128.0);
  EXPECT_EQ(largest, std::uint64_t{511} << 33);
  EXPECT_EQ(order, 0);
}

int chosen(int code, std::uint32_t thread) {
  switch (code) {
    case 0:
      return std::countl_zero(thread);
    case 1: {
      std::uint32_t reversed = 0;
      for (int i = 0; i < 32; ++i) reversed = reversed * 2 + (thread >> i) % 2;
      return static_cast<int>(reversed);
    }
    case 2:
      return 2 / (static_cast<int>(thread) - 25);
    case 3:
      return static_cast<int>(thread % 7);
    case 4:
      return thread == 0 ? 0 : std::countr_zero(thread) + 1;
    case 5:
      return static_cast<int>(0x04030002U | (thread & 255) << 8);
    case 6:
      return static_cast<int>(std::uint64_t{thread * 0x10000001U} * 0x12345678U >> 32);
    default:
      return -code;
  }
}

TEST(Kernels, BranchByASwitch) {
  std::vector<int> codes(64);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<int>(i % 9);
  std::vector<int> out(64);

  launch("choose", {1, 64}, codes.data(), out.data());

  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(out[i], chosen(codes[i], static_cast<std::uint32_t>(i))) << i;
  }
}

TEST(Kernels, TakeAlmost32KilobytesOfParameters) {
  auto table = std::make_unique<Table>();
  for (int i = 0; i < Table::kRows; ++i) table->rows[i] = {{i, 2 * i, 3 * i, 0}};
  table->bias = 5;
  std::vector<int> out(64);

  launch("look_up", {1, 64}, *table, out.data());

  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[static_cast<std::size_t>(i)], i * (i % 3 + 1) + 5) << i;
}

TEST(Kernels, CallFunctionsAndReadConstants) {
  auto values = counted<float>(32, -3.0F);
  std::vector<float> out(32);
  constexpr float kFactors[] = {1.0F, 2.0F, 0.5F, -3.0F};

  launch("call_function", {}, values.data(), out.data());

  for (std::size_t i = 0; i < 32; ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < i % 9; ++k) sum = sum * values[i] + kFactors[k % 4];
    EXPECT_EQ(out[i], sum) << i;
  }
}

TEST(Kernels, IndexLocalArraysByData) {
  std::vector<std::uint32_t> numbers(32, 7);
  numbers[3] = 4494;
  numbers[5] = 1000999;
  std::vector<std::uint32_t> out(32);

  launch("count_digits", {}, numbers.data(), out.data());

  EXPECT_EQ(out[0], 7U);
  EXPECT_EQ(out[3], 4U);
  EXPECT_EQ(out[5], 0U);
}

TEST(Kernels, StepAdamAsTheHostDoes) {
  constexpr std::size_t kCount = 4096;
  std::vector<float> value(kCount), mean(kCount), square(kCount), grad(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto x = static_cast<float>(i);
    value[i] = std::sin(x), mean[i] = std::cos(x), square[i] = x / 7,
    grad[i] = std::sin(3 * x) * 1e-3F * x;
  }
  auto expected = value;
  for (std::size_t i = 0; i < kCount; ++i) {
    const float new_mean = 0.9F * mean[i] + 0.1F * grad[i];
    const float new_square = 0.999F * square[i] + 0.001F * grad[i] * grad[i];
    expected[i] -= 0.01F * new_mean / (std::sqrt(new_square) + 1e-8F);
  }

  launch("adam", {kCount / 128, 128}, value.data(), mean.data(), square.data(), grad.data(), 0.01F);

  EXPECT_EQ(value, expected);
}

}  // namespace
}  // namespace assay::cuda::on_cpu::testing
