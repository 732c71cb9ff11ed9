// The commands of the area autograd.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void add_autograd_function_commands(CommandTable& table);
/// Adds all commands of the area.
void add_autograd_commands(CommandTable& table);

}  // namespace assay::cuda
