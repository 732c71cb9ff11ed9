// Dispatches from a run-time dtype to a compile-time C++ type.
#pragma once

#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/kernels/element.cuh"

namespace assay::cuda {

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
