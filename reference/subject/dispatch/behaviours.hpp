// The behaviours of client kernels.
#pragma once

#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {

/// Creates the kernel that `dispatch.kernel` describes.
Kernel kernel_of_behaviour(Call& call);

}  // namespace assay::reference
