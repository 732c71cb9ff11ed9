// The parts of the area sim, each in a file of its own.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_sim_litmus_commands(CommandTable& table);

}  // namespace assay::reference
