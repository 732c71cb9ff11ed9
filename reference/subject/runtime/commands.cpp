// Area runtime: streams, events, guards.
#include "reference/subject/runtime/commands.hpp"

namespace assay::reference {

void add_runtime_commands(CommandTable& table) {
  add_runtime_device_commands(table);
  add_runtime_stream_commands(table);
  add_runtime_stream_value_commands(table);
  add_runtime_work_commands(table);
  add_runtime_capture_commands(table);
  add_runtime_event_commands(table);
  add_runtime_event_change_commands(table);
  add_runtime_python_commands(table);
  add_runtime_guard_commands(table);
  add_runtime_context_commands(table);
  add_runtime_backend_commands(table);
  add_runtime_failure_commands(table);
}

}  // namespace assay::reference
