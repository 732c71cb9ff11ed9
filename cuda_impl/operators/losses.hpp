// Softmax, layer norm and mean squared error: computed in float32, float64 for float64. Other
// losses: computed in double, reduced in float32 (float64 for float64) and rounded once.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/loss.cuh"

namespace assay::cuda {

/// Softmax along `dim`; converts the input to `dtype` first, if given.
Tensor softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});

/// The logarithm of that, computed without it.
Tensor log_softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});
/// ln of the sum of exp over the last dimension, which the result does not have.
Tensor log_sum_exp(const Tensor& rows);

struct LayerNormOptions {
  Tensor weight;  ///< undefined: ones
  Tensor bias;    ///< undefined: zeros
  double eps = 1e-5;
};
/// Normalizes over the last dimensions, which must be `shape`.
Tensor layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options = {});

/// With the statistics of each row, which keep the normalized dimensions with size 1. Of half types
/// they are float32 on a GPU, and on a CPU if the parameters are.
struct LayerNormed {
  Tensor result;
  Tensor mean;
  Tensor inverse_deviation;
};
LayerNormed native_layer_norm(const Tensor& tensor, const Shape& shape,
                              const LayerNormOptions& options = {});

enum class Reduction : std::uint8_t { kNone, kMean, kSum };
/// The loss of no elements is NaN.
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);

// Other losses.

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
