// Arithmetic of SGD with sparse gradients (OPT-007). The host waits for what it computes with.
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Entries with the same bits, in memory of their own.
Tensor sparse_clone(Runtime& runtime, const Tensor& sparse);
Tensor sparse_negated(Runtime& runtime, const Tensor& sparse);
/// Multiplies the entries in place.
void sparse_mul_(Runtime& runtime, const Tensor& sparse, double factor);
/// left + alpha * right: entries whose indices meet become one, the others stay in their order.
Tensor sparse_sum(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha);
/// The same, into `left`.
void sparse_add_(Runtime& runtime, const Tensor& left, const Tensor& right, double alpha);
/// dense + alpha * sparse, in place, entry by entry.
void add_sparse_(Runtime& runtime, const Tensor& dense, const Tensor& sparse, double alpha);

}  // namespace assay::reference
