// Arguments of the autocast commands.
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

/// The argument `device`, a device type in text form. Raises `error` for an invalid text.
CastDevice device_argument(Call& call);

}  // namespace assay::reference
