// Operators over rows: softmax and layer norm.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// Contiguous rows of a floating type; the output has the same type and shape. A row has at least
/// one element.
struct RowsTask {
  Dtype dtype = Dtype::kFloat32;
  std::int64_t rows = 1;
  std::int64_t count = 1;  ///< elements in a row
  const void* in = nullptr;
  void* out = nullptr;
};

/// kLogSumExp writes one number for each row.
enum class SoftmaxKind : std::uint8_t { kPlain, kLogarithm, kLogSumExp };
void launch_softmax(const RowsTask& task, SoftmaxKind kind);

namespace detail {

/// The number that is subtracted from each element before the exponential function: the largest
/// element `most`. A log-sum-exp does not subtract an infinity, so its result is not NaN.
template <typename Wide>
__host__ __device__ Wide shift_of(SoftmaxKind kind, Wide most) {
  const bool is_infinite = most == INFINITY || most == -INFINITY;
  return kind == SoftmaxKind::kLogSumExp && is_infinite ? Wide{0} : most;
}

}  // namespace detail

/// `weight` and `bias` have `count` elements each; null omits them. `mean` and `scale` take one
/// number for each row, in the type that the row is computed in; null omits both.
struct LayerNormTask {
  RowsTask rows;
  const void* weight = nullptr;
  const void* bias = nullptr;
  double eps = 1e-5;
  void* mean = nullptr;
  void* scale = nullptr;
};
void launch_layer_norm(const LayerNormTask& task);

}  // namespace assay::cuda
