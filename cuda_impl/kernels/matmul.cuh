// Matrix multiplication, single and batched.
#pragma once

#include <cstdint>

#include "cuda_impl/core/dtype.hpp"

namespace assay::cuda {

/// A batch of matrices of any layout. Strides are in elements; 0 repeats a matrix, row or column.
struct Matrices {
  const void* data = nullptr;
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// out[batch, rows, columns] = alpha * left[batch, rows, inner] @ right[batch, inner, columns]
///                             + beta * bias[batch, rows, columns]
/// The output is contiguous. A bias with null data is omitted. Floating types only.
struct MatmulTask {
  Dtype dtype = Dtype::kFloat32;
  std::int64_t batches = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t inner = 0;
  Matrices left;
  Matrices right;
  Matrices bias;
  double alpha = 1;
  double beta = 0;
  void* out = nullptr;
};

void launch_matmul(const MatmulTask& task);

}  // namespace assay::cuda
