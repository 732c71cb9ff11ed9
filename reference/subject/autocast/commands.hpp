// The parts of area autocast, one file each.
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autocast_state_commands(CommandTable& table);
void add_autocast_piece_commands(CommandTable& table);
void add_autocast_region_commands(CommandTable& table);

/// The argument `device`, a type as text. Raises `error` for a text that is none.
CastDevice device_argument(Call& call);

}  // namespace assay::reference
