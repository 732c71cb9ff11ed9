// Builds the common geometry in which several tensors are walked.
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/geometry.cuh"

namespace assay::cuda {

/// The strides of an output and its inputs for
/// the same sizes; null for an unused input.
struct WalkedStrides {
  const Shape* out = nullptr;
  const Shape* left = nullptr;
  const Shape* right = nullptr;
};

/// Follows the memory order of the output and merges dimensions that are contiguous in all tensors.
/// Raises `error` if more than `kMostDims` remain.
Geometry<3> walk_of(const Shape& sizes, const WalkedStrides& strides);

/// Inputs are broadcast to the output's sizes; null for an unused one.
Geometry<3> walk_of(const Tensor& out, const Tensor* left, const Tensor* right = nullptr);

}  // namespace assay::cuda
