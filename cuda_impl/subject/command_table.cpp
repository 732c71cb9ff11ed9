// The table of all commands.
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

const CommandTable& command_table() {
  static const CommandTable made = [] {
    CommandTable table;
    add_session_commands(table);
#include <waist/table.inc>
    return table;
  }();
  return made;
}

}  // namespace assay::cuda
