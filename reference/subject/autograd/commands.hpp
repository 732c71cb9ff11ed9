// The parts of area autograd, one file each.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autograd_function_commands(CommandTable& table);

}  // namespace assay::reference
