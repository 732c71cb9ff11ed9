// The commands of the area autocast, one file for each part.
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autocast_state_commands(CommandTable& table);
void add_autocast_piece_commands(CommandTable& table);
void add_autocast_region_commands(CommandTable& table);

/// The argument `device`, a device type in text form. Raises `error` for an invalid text.
CastDevice device_argument(Call& call);

}  // namespace assay::reference
