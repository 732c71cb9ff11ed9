// Arguments of the autocast commands.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The argument `device`: a device type in text form.
DeviceKind autocast_device(Call& call);

}  // namespace assay::cuda
