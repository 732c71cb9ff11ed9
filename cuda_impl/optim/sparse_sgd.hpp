// SGD with sparse gradients (OPT-007). Waits, because the host reads the indices.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

Tensor copy_of_sparse(const Tensor& sparse);
Tensor negative_of_sparse(const Tensor& sparse);
/// Computes `left + alpha * right` for two sparse tensors.
Tensor add_sparse(const Tensor& left, const Tensor& right, double alpha);
/// Computes `left = factor * left + alpha * right` in place.
void scale_and_add_sparse_(const Tensor& left, double factor, const Tensor& right, double alpha);
/// Computes `dense + alpha * sparse` in place, entry by entry.
void add_entries_(const Tensor& dense, const Tensor& sparse, double alpha);

}  // namespace assay::cuda
