// Settings of optimizers at the waist.
#pragma once

#include "cuda_impl/optim/settings.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// Raises InvalidArgument for a value that cannot be a setting.
Setting setting_from_waist(const Value& value);
Value setting_to_waist(const Setting& setting);
/// All entries of a dict but `params`.
Settings settings_from_waist(const Dict& dict);

/// The commands about groups, hooks, saving and loading.
void add_optim_saving_commands(CommandTable& table);

}  // namespace assay::cuda
