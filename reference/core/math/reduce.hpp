// Reductions, and the operators that are built on them (CORE-22).
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Without `dim`, the reduction covers all elements.
struct ReduceOptions {
  std::optional<std::int64_t> dim = {};
  bool keep_dim = false;
};

/// Integers and bools are summed in int64. An empty sum is 0.
Tensor sum(Runtime& runtime, const Tensor& tensor, ReduceOptions options = {});
/// Floating types only. The mean of no elements is NaN.
Tensor mean(Runtime& runtime, const Tensor& tensor, ReduceOptions options = {});
/// The Euclidean norm; 0 if there are no elements.
Tensor norm(Runtime& runtime, const Tensor& tensor);
/// Propagates NaN. Raises `error` if there are no elements.
Tensor max(Runtime& runtime, const Tensor& tensor);
/// Returns whether some element is not 0: as bool, but for uint8 as uint8. False if empty.
Tensor any(Runtime& runtime, const Tensor& tensor);

Tensor softmax(Runtime& runtime, const Tensor& tensor, std::int64_t dim);

/// Python's warning for a loss whose target has other sizes; it is broadcast nevertheless.
void warn_of_target_size(Runtime& runtime, const Tensor& input, const Tensor& target);
enum class Reduction : std::uint8_t { kNone, kMean, kSum };
Tensor mse_loss(Runtime& runtime, const Tensor& input, const Tensor& target,
                Reduction reduction = Reduction::kMean);

}  // namespace assay::reference
