// Answers the area autograd.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autograd_commands(CommandTable&) {}

}  // namespace assay::reference
