// Answers the area dispatch: its parts, one file each.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_dispatch_commands(CommandTable&) {}

}  // namespace assay::reference
