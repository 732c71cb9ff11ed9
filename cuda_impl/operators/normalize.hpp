// Softmax, layer norm and the mean squared error: float32 inside, float64 for float64.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Along `dim`; `dtype`: cast to before.
Tensor softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype = {});

struct LayerNormOptions {
  Tensor weight;  ///< undefined: ones
  Tensor bias;    ///< undefined: zeros
  double eps = 1e-5;
};
/// Over the last dimensions, which are `shape`.
Tensor layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options = {});

enum class Reduction : std::uint8_t { kNone, kMean, kSum };
/// Of nothing NaN.
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);

}  // namespace assay::cuda
