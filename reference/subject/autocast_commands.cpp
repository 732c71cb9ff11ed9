// Answers the area autocast.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_autocast_commands(CommandTable&) {}

}  // namespace assay::reference
