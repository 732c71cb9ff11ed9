// The commands of the area autocast.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The argument `device`: a device type in text form.
DeviceKind autocast_device(Call& call);

void add_autocast_state_commands(CommandTable& table);
void add_autocast_piece_commands(CommandTable& table);
void add_autocast_region_commands(CommandTable& table);
/// Adds all commands of the area.
void add_autocast_commands(CommandTable& table);

}  // namespace assay::cuda
