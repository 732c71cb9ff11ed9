// Operators over rows: softmax and layer norm.
#pragma once

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

void launch_softmax(const RowsTask& task);

/// `weight` and `bias` have `count` elements each; null omits them.
struct LayerNormTask {
  RowsTask rows;
  const void* weight = nullptr;
  const void* bias = nullptr;
  double eps = 1e-5;
};
void launch_layer_norm(const LayerNormTask& task);

}  // namespace assay::cuda
