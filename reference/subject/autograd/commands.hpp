// The commands of the area autograd, one file for each part.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autograd_function_commands(CommandTable& table);

}  // namespace assay::reference
