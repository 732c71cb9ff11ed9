// The commands of area autocast.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The argument `device`: a kind of device, as text.
DeviceKind autocast_device(Call& call);

void add_autocast_state_commands(CommandTable& table);
void add_autocast_piece_commands(CommandTable& table);
void add_autocast_region_commands(CommandTable& table);
/// All of them.
void add_autocast_commands(CommandTable& table);

}  // namespace assay::cuda
