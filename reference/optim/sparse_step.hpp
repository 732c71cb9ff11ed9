// Arithmetic of SGD with sparse gradients (OPT-007). The host waits for the operands.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Returns a bitwise copy with its own memory.
Tensor sparse_clone(Runtime& runtime, const Tensor& sparse);
Tensor sparse_negated(Runtime& runtime, const Tensor& sparse);
/// Multiplies the entries in place.
void sparse_mul_(Runtime& runtime, const Tensor& sparse, double factor);
/// Computes left + alpha * right. Entries with equal indices are merged; others keep their order.
Tensor sparse_sum(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha);
/// Stores the same sum in `left`.
void sparse_add_(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha);
/// Computes dense + alpha * sparse in place, entry by entry.
void add_sparse_(Runtime& runtime, const Tensor& dense, const Tensor& sparse, double alpha);

}  // namespace assay::reference
