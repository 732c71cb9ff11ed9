// Settings of optimizers across the waist.
#pragma once

#include "reference/optim/settings.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

/// Raises InvalidArgument for what no setting is.
Setting setting_from(const Value& value);
Value to_value(const Setting& setting);
/// From a dict of the client.
Settings settings_from(const Dict& dict);

/// Groups, their settings, what is saved of an optimizer, and hooks.
void add_optim_state_commands(CommandTable& table);

}  // namespace assay::reference
