// How the elements of several tensors are walked together.
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/geometry.cuh"

namespace assay::cuda {

/// Strides of an output and of what it is made from, all for the same sizes; null for what is not
/// read.
struct WalkedStrides {
  const Shape* out = nullptr;
  const Shape* left = nullptr;
  const Shape* right = nullptr;
};

/// In the order in which the output lies in memory; dimensions that all tensors walk as one are
/// one. Raises `error` where more than `kMostDims` are left.
Geometry<3> walk_of(const Shape& sizes, const WalkedStrides& strides);

/// Of tensors that are broadcast to the output's sizes; null for what is not read.
Geometry<3> walk_of(const Tensor& out, const Tensor* left, const Tensor* right = nullptr);

}  // namespace assay::cuda
