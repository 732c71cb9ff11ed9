// Reductions and what is made of them (CORE-22).
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Without `dim` over all elements.
struct ReduceOptions {
  std::optional<std::int64_t> dim = {};
  bool keep_dim = false;
};

/// Integers and bools are summed as int64. 0 without elements.
Tensor sum(Runtime& runtime, const Tensor& tensor, ReduceOptions options = {});
/// Floating types only. NaN without elements.
Tensor mean(Runtime& runtime, const Tensor& tensor, ReduceOptions options = {});
/// The Euclidean norm. 0 without elements.
Tensor norm(Runtime& runtime, const Tensor& tensor);
/// A NaN among the elements is the result. Raises `error` without elements.
Tensor max(Runtime& runtime, const Tensor& tensor);
/// Is any element not 0? A bool, of uint8 a uint8; false without elements.
Tensor any(Runtime& runtime, const Tensor& tensor);

Tensor softmax(Runtime& runtime, const Tensor& tensor, std::int64_t dim);
struct LayerNormOptions {
  Shape normalized_shape;
  Tensor weight;
  Tensor bias;
  double eps = 1e-5;
};
Tensor layer_norm(Runtime& runtime, const Tensor& tensor, const LayerNormOptions& options);

/// What Python says before it computes a loss: one of other sizes is broadcast all the same.
void warn_of_target_size(Runtime& runtime, const Tensor& input, const Tensor& target);
enum class Reduction : std::uint8_t { kNone, kMean, kSum };
Tensor mse_loss(Runtime& runtime, const Tensor& input, const Tensor& target,
                Reduction reduction = Reduction::kMean);

}  // namespace assay::reference
