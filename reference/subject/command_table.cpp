// The table of all areas.
#include "reference/subject/command_table.hpp"

#include "reference/subject/bench/commands.hpp"

namespace assay::reference {

const CommandTable& command_table() {
  static const CommandTable table = [] {
    CommandTable made;
    add_session_commands(made);
    add_core_commands(made);
    add_amp_commands(made);
    add_optim_commands(made);
    add_scaler_commands(made);
    add_dispatch_commands(made);
    add_autograd_commands(made);
    add_autocast_commands(made);
    add_module_commands(made);
    add_runtime_commands(made);
    add_sim_commands(made);
    add_memory_commands(made);
    add_graph_commands(made);
    add_bench_commands(made);
    return made;
  }();
  return table;
}

}  // namespace assay::reference
