// The autograd kernels of operators, which record history.
#pragma once

#include "reference/core/math/elementwise.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {

/// Runs the operator below autograd and records a node if an input requires a gradient and grad
/// mode is enabled.
Kernel autograd_kernel(const OpDefinition& definition);
/// The same for an in-place operator. Raises
/// `error` for a leaf that requires a gradient.
Kernel in_place_autograd_kernel(const OpDefinition& definition);

/// Returns `number op tensor`, for which there is no overload, with its history.
Tensor with_number_first(Dispatcher& dispatcher, Binary op, const Scalar& number,
                         const Tensor& tensor);

}  // namespace assay::reference
