// The commands of area module.
#pragma once

#include "cuda_impl/module/module.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The argument `module`, or another.
std::shared_ptr<Module> module_argument(Call& call, std::string_view name = "module");

void add_module_move_commands(CommandTable& table);
/// All of them.
void add_module_commands(CommandTable& table);

}  // namespace assay::cuda
