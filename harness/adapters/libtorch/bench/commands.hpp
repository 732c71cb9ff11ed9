// The commands of the area bench.
#pragma once

#include "harness/adapters/libtorch/command_table.hpp"

namespace assay::libtorch {

void add_bench_commands(CommandTable& table);

}  // namespace assay::libtorch
