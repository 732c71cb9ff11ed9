// The C++ types of elements: conversions between them, the types that they are computed in, and the
// way from a run-time dtype to its type.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

using Half = __half;
using BFloat16 = __nv_bfloat16;

template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T>
inline constexpr bool kIsFloating = kIsHalf<T> || std::is_floating_point_v<T>;

/// CORE-22: half types are computed in float; integers and bools in int64.
template <typename T>
using WideOf = std::conditional_t<std::is_same_v<T, double>, double,
                                  std::conditional_t<kIsFloating<T>, float, std::int64_t>>;

__host__ __device__ inline float to_float(Half value) { return __half2float(value); }

/// CAST-906: a 16-bit shift, also for NaN. On some chips the library function is a separate
/// instruction.
__host__ __device__ inline float to_float(BFloat16 value) {
  std::uint16_t narrow;
  std::memcpy(&narrow, &value, sizeof narrow);
  const std::uint32_t wide = std::uint32_t{narrow} << 16;
  float result;
  std::memcpy(&result, &wide, sizeof result);
  return result;
}

template <typename To>
__host__ __device__ To from_float(float value) {
  if constexpr (std::is_same_v<To, Half>) {
    return __float2half_rn(value);  // CAST-901
  } else {
    return __float2bfloat16_rn(value);  // CAST-903
  }
}

/// Rounds to nearest even; integers truncate toward zero. Wide types convert to half types through
/// float (CAST-908). What an integer type cannot hold is up to the processor.
template <typename To, typename From>
__host__ __device__ To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsHalf<From>) {
    return convert<To>(to_float(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (kIsHalf<To>) {
    return from_float<To>(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_unsigned_v<To>) {
    return static_cast<To>(static_cast<std::int64_t>(value));  // negative numbers wrap
  } else {
    return static_cast<To>(value);
  }
}

template <typename T>
struct Tag {
  using type = T;
};
template <typename TagOfType>
using Tagged = typename std::decay_t<TagOfType>::type;

/// Calls `body(Tag<T>{})` with the C++ type of a floating dtype; does nothing for other dtypes.
template <typename Body>
__host__ __device__ void visit_floating(Dtype dtype, const Body& body) {
  switch (dtype) {
    case Dtype::kFloat64:
      return body(Tag<double>{});
    case Dtype::kFloat32:
      return body(Tag<float>{});
    case Dtype::kFloat16:
      return body(Tag<Half>{});
    case Dtype::kBFloat16:
      return body(Tag<BFloat16>{});
    default:
      return;
  }
}

template <typename Body>
__host__ __device__ void visit_whole(Dtype dtype, const Body& body) {
  switch (dtype) {
    case Dtype::kInt64:
      return body(Tag<std::int64_t>{});
    case Dtype::kInt32:
      return body(Tag<std::int32_t>{});
    case Dtype::kInt16:
      return body(Tag<std::int16_t>{});
    case Dtype::kInt8:
      return body(Tag<std::int8_t>{});
    case Dtype::kUInt8:
      return body(Tag<std::uint8_t>{});
    case Dtype::kBool:
      return body(Tag<bool>{});
    default:
      return;
  }
}

/// For types that support copies and conversions, but no arithmetic.
template <typename Body>
__host__ __device__ void visit_unsigned(Dtype dtype, const Body& body) {
  switch (dtype) {
    case Dtype::kUInt16:
      return body(Tag<std::uint16_t>{});
    case Dtype::kUInt32:
      return body(Tag<std::uint32_t>{});
    case Dtype::kUInt64:
      return body(Tag<std::uint64_t>{});
    default:
      return;
  }
}

template <typename Body>
__host__ __device__ void visit_computed(Dtype dtype, const Body& body) {
  visit_floating(dtype, body);
  visit_whole(dtype, body);
}

template <typename Body>
__host__ __device__ void visit_stored(Dtype dtype, const Body& body) {
  visit_computed(dtype, body);
  visit_unsigned(dtype, body);
}

}  // namespace assay::cuda
