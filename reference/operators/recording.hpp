// Operators that compute nothing: what reaches them can be seen, and what comes out has the right
// type.
#pragma once

#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// One result for each of the schema's returns: tensors of unspecified content, in the shape that
/// `result_sizes` says or that of the first tensor argument, and the dtype that the operator would
/// give them. Where that has no data
/// they have none, so that the device need not exist.
Kernel recording_kernel();

}  // namespace assay::reference
