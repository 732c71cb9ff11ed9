// The commands of the area core, one file for each part.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_core_tensor_commands(CommandTable& table);
void add_core_copy_commands(CommandTable& table);
void add_core_device_commands(CommandTable& table);
void add_core_type_commands(CommandTable& table);
void add_core_op_commands(CommandTable& table);
void add_core_ivalue_commands(CommandTable& table);

}  // namespace assay::reference
