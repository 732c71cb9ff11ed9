// The type that a tensor's elements are computed in.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace assay::cuda {

template <typename Real>
struct WideOf {
  using Type = float;
};
template <>
struct WideOf<double> {
  using Type = double;
};
template <typename Real>
using Wide = typename WideOf<Real>::Type;

/// Rounds to the tensor's type and back, as a store between two operators would.
template <typename Real>
__host__ __device__ inline Wide<Real> rounded(Wide<Real> value) {
  return static_cast<Wide<Real>>(static_cast<Real>(value));
}

}  // namespace assay::cuda
