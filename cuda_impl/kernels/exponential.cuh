// The exponential function, bit-identical on every device and on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "cuda_impl/kernels/multiply_add.cuh"

namespace assay::cuda {

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

}  // namespace assay::cuda
