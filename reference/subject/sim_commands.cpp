// Area sim: controls of the simulated machine.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_sim_commands(CommandTable&) {}

}  // namespace assay::reference
