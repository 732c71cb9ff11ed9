// What the kernels that clients register do.
#pragma once

#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {

/// The kernel that `dispatch.kernel` describes.
Kernel kernel_of_behaviour(Call& call);

}  // namespace assay::reference
