// Operators that work on whole rows: softmax and layer norm.
#pragma once

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// Contiguous rows of a floating type, made into rows of the same type. Rows have one element at
/// least.
struct RowsTask {
  Dtype dtype = Dtype::kFloat32;
  std::int64_t rows = 1;
  std::int64_t count = 1;  ///< of one row
  const void* in = nullptr;
  void* out = nullptr;
};

void launch_softmax(const RowsTask& task);

/// Scaled by a weight and moved by a bias, of `count` elements each; null: not at all.
struct LayerNormTask {
  RowsTask rows;
  const void* weight = nullptr;
  const void* bias = nullptr;
  double eps = 1e-5;
};
void launch_layer_norm(const LayerNormTask& task);

}  // namespace assay::cuda
