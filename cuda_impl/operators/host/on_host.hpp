// CPU implementations of the kernels, as plain loops.
#pragma once

#include "cuda_impl/kernels/cast/cast.cuh"
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/loss.cuh"
#include "cuda_impl/kernels/products.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"
#include "cuda_impl/kernels/rows.cuh"

namespace assay::cuda::on_host {

/// Calls `body` with the offsets of each element, in the geometry's order.
template <typename Body>
void walk(const Geometry<3>& geometry, const Body& body) {
  const int last = geometry.dims - 1;
  const std::int64_t row = last < 0 ? 1 : geometry.sizes[last];
  for (std::int64_t first = 0; first < geometry.count; first += row) {
    Offsets<3> at = offsets_at(geometry, first);
    for (std::int64_t i = 0; i < row; ++i) {
      body(at);
      for (int tensor = 0; tensor < 3 && last >= 0; ++tensor) {
        at.of[tensor] += geometry.strides[tensor][last];
      }
    }
  }
}

struct Range {
  std::int64_t first;
  std::int64_t end;
};

/// Reduces `value_at` over a range by pairwise halving, which keeps rounding errors of sums small.
template <typename Wide, typename ValueAt>
Wide combined(const Range& range, Combination how, const ValueAt& value_at) {
  constexpr std::int64_t kAtOnce = 16;
  const Combine<Wide> join{how};
  if (range.end - range.first > kAtOnce) {
    const std::int64_t middle = range.first + (range.end - range.first) / 2;
    return join(combined<Wide>({range.first, middle}, how, value_at),
                combined<Wide>({middle, range.end}, how, value_at));
  }
  Wide result = join.neutral();
  for (std::int64_t i = range.first; i < range.end; ++i) result = join(result, value_at(i));
  return result;
}

/// Converts NaN as a CPU does (CAST-905, CAST-906).
void cast(const CastTask& task);
void fill(const FillTask& task);
void elementwise(const ElementwiseTask& task);
void reduce(const ReductionTask& task);
void matmul(const MatmulTask& task);
void convolution(const ConvolutionTask& task);
void softmax(const RowsTask& task, SoftmaxKind kind);
void layer_norm(const LayerNormTask& task);
void loss(const LossTask& task);
void class_loss(const ClassLossTask& task);
void class_slope(const ClassSlopeTask& task);
void scan(const ScanTask& task);

}  // namespace assay::cuda::on_host
