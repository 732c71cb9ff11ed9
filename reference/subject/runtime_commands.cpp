// Area runtime: streams, events, guards.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_runtime_commands(CommandTable&) {}

}  // namespace assay::reference
