// The table of the commands that this subject answers.
#include "harness/adapters/libtorch/command_table.hpp"

namespace assay::libtorch {

const CommandTable& command_table() {
  static const CommandTable made = [] {
    CommandTable table;
    add_session_commands(table);
#include <waist/table.inc>
    return table;
  }();
  return made;
}

}  // namespace assay::libtorch
