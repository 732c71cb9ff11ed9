// Optimizer settings in the protocol.
#pragma once

#include "reference/optim/settings.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

/// Raises InvalidArgument for an invalid setting.
Setting setting_from(const Value& value);
Value to_value(const Setting& setting);
/// Converts a client's dict.
Settings settings_from(const Dict& dict);

}  // namespace assay::reference
