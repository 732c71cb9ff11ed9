// How operators write history down: the kernel at the autograd keys.
#pragma once

#include "reference/operators/operator.hpp"

namespace assay::reference {

/// Runs the operator below autograd, and remembers it if one of its inputs requires a gradient and
/// grad mode is on.
Kernel autograd_kernel(const OpDefinition& definition);
/// The same for an operator that writes to an argument. Raises `error` for a leaf that requires a
/// gradient.
Kernel in_place_autograd_kernel(const OpDefinition& definition);

}  // namespace assay::reference
