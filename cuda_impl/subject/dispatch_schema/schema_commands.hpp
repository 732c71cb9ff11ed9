// The commands of area dispatch that ask about schemas alone.
#pragma once

#include "cuda_impl/dispatch/schema/schema.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

/// A default value at the waist.
Value to_waist(const dispatch::Constant& constant, Release release);

void add_schema_commands(CommandTable& table);

}  // namespace assay::cuda
