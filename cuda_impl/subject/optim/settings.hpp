// Conversions of optimizer settings to and from protocol values.
#pragma once

#include "cuda_impl/optim/settings.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// Raises InvalidArgument for a value that is not a setting.
Setting setting_from_waist(const Value& value);
Value setting_to_waist(const Setting& setting);
/// All entries of a dict except `params`.
Settings settings_from_waist(const Dict& dict);

}  // namespace assay::cuda
