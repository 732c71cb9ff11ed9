// Losses: computed in double, reduced in float32 (float64 for float64) and rounded once.
#pragma once

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/loss.cuh"
#include "cuda_impl/operators/normalize.hpp"

namespace assay::cuda {

/// x, y and z of a loss, which are broadcast; z may be undefined.
struct LossOperands {
  Tensor first;
  Tensor second;
  Tensor third = {};
};

/// A loss for each element, in float32, or float64 if an operand has it.
Tensor losses_of(LossKind kind, const LossOperands& operands, double limit = 1);

/// Returns the losses themselves, their sum or their mean, in the dtype.
Tensor reduced_loss(const Tensor& losses, Reduction reduction, Dtype dtype);

/// The loss that each target class picks from `logarithms` [batch, classes, ...] or [classes]; the
/// mean is weighted. `weight` may be undefined. Raises `index` on the CPU for a target that is no
/// class.
struct ClassLoss {
  Tensor logarithms;
  Tensor target;
  Tensor weight;
  std::int64_t ignored = -100;
};
struct ClassLossed {
  Tensor loss;
  Tensor total;  ///< the weights of the targets that count
};
ClassLossed class_loss(const ClassLoss& given, Reduction reduction);
/// The gradients of logarithms of this shape. `gradient` is that of the loss, already divided by
/// the total. Other fields of `given` are used, but not its logarithms.
Tensor class_slope(const ClassLoss& given, const Shape& sizes, const Tensor& gradient);

}  // namespace assay::cuda
