// Softmax, layer norm and mean squared error: computed in float32, float64 for float64.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_impl/core/tensor.hpp"

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

}  // namespace assay::cuda
