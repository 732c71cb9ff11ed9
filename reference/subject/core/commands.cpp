// The command table of the area core.
#include "reference/subject/core/commands.hpp"

namespace assay::reference {

void add_core_commands(CommandTable& table) {
  add_core_tensor_commands(table);
  add_core_copy_commands(table);
  add_core_device_commands(table);
  add_core_type_commands(table);
  add_core_op_commands(table);
  add_core_ivalue_commands(table);
}

}  // namespace assay::reference
