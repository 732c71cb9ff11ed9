// The commands of the area sim, one file for each part.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_sim_litmus_commands(CommandTable& table);

}  // namespace assay::reference
