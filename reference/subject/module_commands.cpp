// Answers the area module.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_module_commands(CommandTable&) {}

}  // namespace assay::reference
