// The commands of the area module.
#pragma once

#include "cuda_impl/module/module.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The module argument, by default `module`.
std::shared_ptr<Module> module_argument(Call& call, std::string_view name = "module");

void add_module_move_commands(CommandTable& table);
/// Adds all commands of the area.
void add_module_commands(CommandTable& table);

}  // namespace assay::cuda
