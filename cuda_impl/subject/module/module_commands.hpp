// Arguments of the module commands.
#pragma once

#include "cuda_impl/module/module.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// The module argument, by default `module`.
std::shared_ptr<Module> module_argument(Call& call, std::string_view name = "module");

}  // namespace assay::cuda
