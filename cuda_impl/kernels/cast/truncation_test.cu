// Conversions to integers on a device: what a type cannot hold, and NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/cast/truncation.cuh"

namespace assay::cuda {

template <typename Whole, typename Real>
__global__ void truncate_kernel(const Real* values, Whole* wholes, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) wholes[i] = truncated<Whole>(values[i]);
}

namespace {

template <typename Whole, typename Real>
std::vector<Whole> on_the_device(const std::vector<Real>& values) {
  const Storage in(cuda_device(0), values.size() * sizeof(Real));
  const Storage out(cuda_device(0), values.size() * sizeof(Whole));
  cuda_check(
      cudaMemcpy(in.data(), values.data(), values.size() * sizeof(Real), cudaMemcpyHostToDevice));
  launch(truncate_kernel<Whole, Real>, {.grid = 1, .block = 32},
         reinterpret_cast<const Real*>(in.data()), reinterpret_cast<Whole*>(out.data()),
         static_cast<int>(values.size()));
  std::vector<Whole> wholes(values.size());
  cuda_check(
      cudaMemcpy(wholes.data(), out.data(), wholes.size() * sizeof(Whole), cudaMemcpyDeviceToHost));
  return wholes;
}

constexpr std::int32_t kLeast32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLeast64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();

TEST(Truncation, OfFloatsTo32BitsStopsAtTheEndsAndMakesNanZero) {
  const std::vector<float> values{-1.9f,    0.9f,     0x1.fffffep30f,  0x1p31f,
                                  INFINITY, -0x1p31f, -0x1.000002p31f, -INFINITY,
                                  NAN,      -NAN};

  const auto wholes = on_the_device<std::int32_t>(values);

  EXPECT_EQ(wholes, (std::vector<std::int32_t>{-1, 0, 2147483520, kMost32, kMost32, kLeast32,
                                               kLeast32, kLeast32, 0, 0}));
}

TEST(Truncation, OfDoublesTo32BitsMakesNanTheLeast) {
  const std::vector<double> values{2147483647.9,  2147483648.0, -2147483648.9,
                                   -2147483649.0, NAN,          -INFINITY};

  const auto wholes = on_the_device<std::int32_t>(values);

  EXPECT_EQ(wholes,
            (std::vector<std::int32_t>{kMost32, kMost32, kLeast32, kLeast32, kLeast32, kLeast32}));
}

TEST(Truncation, To64BitsMakesNanTheLeast) {
  const auto of_floats =
      on_the_device<std::int64_t>(std::vector<float>{-1.5f, 0x1p63f, -0x1p63f, -0x1p70f, NAN});
  const auto of_doubles = on_the_device<std::int64_t>(
      std::vector<double>{0x1.fffffffffffffp62, 0x1p63, -0x1p63, -INFINITY, NAN});

  EXPECT_EQ(of_floats, (std::vector<std::int64_t>{-1, kMost64, kLeast64, kLeast64, kLeast64}));
  EXPECT_EQ(of_doubles,
            (std::vector<std::int64_t>{0x7ffffffffffffc00, kMost64, kLeast64, kLeast64, kLeast64}));
}

}  // namespace
}  // namespace assay::cuda
