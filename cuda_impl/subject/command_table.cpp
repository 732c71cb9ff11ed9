// The table of all commands.
#include "cuda_impl/subject/command_table.hpp"

#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {

const CommandTable& command_table() {
  static const CommandTable made = [] {
    CommandTable table;
    add_session_commands(table);
#include <waist/table.inc>
    if (!is_simulated()) table.remove_area("sim");  // its functions call the simulated runtime
    return table;
  }();
  return made;
}

}  // namespace assay::cuda
