// The commands of the area bench.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_bench_commands(CommandTable& table);

}  // namespace assay::reference
