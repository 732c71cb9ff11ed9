// The commands of area autograd.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void add_autograd_function_commands(CommandTable& table);
/// All of them.
void add_autograd_commands(CommandTable& table);

}  // namespace assay::cuda
