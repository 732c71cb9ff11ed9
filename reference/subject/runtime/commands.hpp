// The commands of the area runtime, one function for each theme.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_runtime_device_commands(CommandTable& table);
void add_runtime_stream_commands(CommandTable& table);
void add_runtime_stream_value_commands(CommandTable& table);
void add_runtime_work_commands(CommandTable& table);
void add_runtime_capture_commands(CommandTable& table);
void add_runtime_event_commands(CommandTable& table);
void add_runtime_event_change_commands(CommandTable& table);
void add_runtime_python_commands(CommandTable& table);
void add_runtime_guard_commands(CommandTable& table);
void add_runtime_context_commands(CommandTable& table);
void add_runtime_backend_commands(CommandTable& table);
void add_runtime_failure_commands(CommandTable& table);

}  // namespace assay::reference
