// Conversions of floating point numbers to integers, as a GPU rounds.
#pragma once

#include <cstdint>
#include <limits>

namespace assay::cuda {

/// Truncates toward zero to int32 or int64. What the type cannot hold becomes the nearest number
/// that it can; a NaN becomes 0 if it is a float and the type int32, otherwise the least number.
template <typename Whole, typename Real>
__device__ Whole truncated(Real value) {
#ifdef __CUDACC__
  return static_cast<Whole>(value);  // one instruction
#else
  using Limits = std::numeric_limits<Whole>;
  constexpr Real kBeyond = static_cast<Real>(std::uint64_t{1} << Limits::digits);
  constexpr bool kIsZero = sizeof(Real) == 4 && sizeof(Whole) == 4;
  if (value != value) return kIsZero ? Whole{0} : Limits::min();
  if (value >= kBeyond) return Limits::max();
  return value < -kBeyond ? Limits::min() : static_cast<Whole>(value);
#endif
}

}  // namespace assay::cuda
