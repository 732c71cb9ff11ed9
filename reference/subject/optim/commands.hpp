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

/// Adds the commands for groups, settings, saved state and hooks.
void add_optim_state_commands(CommandTable& table);

}  // namespace assay::reference
