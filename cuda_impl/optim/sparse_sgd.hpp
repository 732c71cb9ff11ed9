// What SGD does with sparse gradients (OPT-007). The host reads the indices, so it waits.
#pragma once

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

Tensor copy_of_sparse(const Tensor& sparse);
Tensor negative_of_sparse(const Tensor& sparse);
/// `left + alpha * right`, of two sparse tensors.
Tensor add_sparse(const Tensor& left, const Tensor& right, double alpha);
/// The first becomes `factor` times itself, plus `alpha` times the second.
void scale_and_add_sparse_(const Tensor& left, double factor, const Tensor& right, double alpha);
/// `dense + alpha * sparse`, in place, one entry after the other.
void add_entries_(const Tensor& dense, const Tensor& sparse, double alpha);

}  // namespace assay::cuda
