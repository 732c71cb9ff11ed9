// Multiply-add, exponential and logarithm, bit-identical on every device and on the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace assay::cuda {

__host__ __device__ inline float multiply_add(float a, float b, float sum) {
  return fmaf(a, b, sum);
}
__host__ __device__ inline double multiply_add(double a, double b, double sum) {
  return fma(a, b, sum);
}

namespace detail {

/// 2^n. The result must be a normal number.
__host__ __device__ inline float power_of_two(int n) {
  const std::uint32_t bits = static_cast<std::uint32_t>(n + 127) << 23;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace detail

/// The error is at most 2 ULP. CUDA's own function uses an instruction that the host cannot
/// reproduce. Returns infinity above 88.72 and 0 below -104.
__host__ __device__ inline float exponential(float x) {
  if (x != x) return x;
  if (x > 88.72284f) return INFINITY;
  if (x < -104.0f) return 0.0f;
  constexpr float kLog2E = 1.44269504f;
  // ln 2 is split in two parts so that the first one times a small integer is exact.
  constexpr float kLn2High = 0.693145752f;
  constexpr float kLn2Low = 1.42860677e-6f;
  const float rounded = rintf(x * kLog2E);
  const float rest = multiply_add(rounded, -kLn2Low, multiply_add(rounded, -kLn2High, x));
  // Taylor series: |rest| is at most ln 2 / 2, so the first omitted term is below 2^-27.
  float sum = 1.0f / 5040;
  sum = multiply_add(sum, rest, 1.0f / 720);
  sum = multiply_add(sum, rest, 1.0f / 120);
  sum = multiply_add(sum, rest, 1.0f / 24);
  sum = multiply_add(sum, rest, 1.0f / 6);
  sum = multiply_add(sum, rest, 0.5f);
  sum = multiply_add(sum, rest, 1.0f);
  sum = multiply_add(sum, rest, 1.0f);
  // Scale in two steps, because 2^power itself may overflow or underflow.
  const int power = static_cast<int>(rounded);
  const int half = power / 2;
  return sum * detail::power_of_two(half) * detail::power_of_two(power - half);
}

__host__ __device__ inline double exponential(double x) { return exp(x); }

/// The error is at most 2 ULP. CUDA's own function uses an instruction that the host cannot
/// reproduce.
__host__ __device__ inline double logarithm(double x) {
  if (!(x > 0)) return x == 0 ? -INFINITY : NAN;
  if (x == INFINITY) return x;
  int power = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    power = -54;
  }
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  // x = m * 2^power with m from sqrt(1/2) to sqrt(2)
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcdu;
  power += static_cast<int>(static_cast<std::int64_t>(bits - kRootOfHalf) >> 52);
  bits = ((bits - kRootOfHalf) & 0xfffffffffffffu) + kRootOfHalf;
  double m;
  std::memcpy(&m, &bits, sizeof m);
  // ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...); |s| is at most 0.172, so the first omitted
  // term is below 2^-59.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 1.0 / 23;
  for (int odd = 21; odd > 1; odd -= 2) sum = multiply_add(sum, square, 1.0 / odd);
  const double small = 2 * s * square * sum;
  // ln 2 is split in two parts so that the first one times a small integer is exact.
  constexpr double kLn2High = 0x1.62e42fefa38p-1;
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  return multiply_add(power, kLn2High, multiply_add(power, kLn2Low, small) + 2 * s);
}

/// ln(1 + x) for x from 0 to 1; a rounding error of the sum is taken out again.
__host__ __device__ inline double logarithm_of_one_and(double x) {
  const double sum = 1 + x;
  return sum == 1 ? x : logarithm(sum) * x / (sum - 1);
}

}  // namespace assay::cuda
