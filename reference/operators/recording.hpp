// Operators without computation: their calls can be observed, and results have the correct type and
// shape.
#pragma once

#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// Returns a tensor of unspecified content for each return of the
/// schema. The shape is that of `result_sizes` or of the first
/// tensor argument; the dtype is the operator's. If that tensor has
/// no data, neither have the results, so the device need not exist.
Kernel recording_kernel();

}  // namespace assay::reference
