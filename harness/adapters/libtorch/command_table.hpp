// Maps commands to functions.
#pragma once

#include "harness/adapters/libtorch/call.hpp"
#include "harness/subject/command_table.hpp"

namespace assay::libtorch {

using CommandTable = CommandTableOf<Call>;
using Handler = CommandTable::Handler;

/// All commands of this subject; created once.
const CommandTable& command_table();

// One function for each file of commands.
void add_session_commands(CommandTable& table);
void add_core_type_commands(CommandTable& table);
void add_core_tensor_commands(CommandTable& table);
void add_core_ivalue_commands(CommandTable& table);
void add_dispatch_key_commands(CommandTable& table);
void add_dispatch_tensor_commands(CommandTable& table);
void add_dispatch_tls_commands(CommandTable& table);
void add_dispatch_schema_commands(CommandTable& table);
void add_dispatch_registration_commands(CommandTable& table);
void add_dispatch_library_commands(CommandTable& table);
void add_dispatch_call_commands(CommandTable& table);
void add_dispatch_ask_commands(CommandTable& table);
void add_dispatch_listener_commands(CommandTable& table);
void add_runtime_stream_commands(CommandTable& table);
void add_runtime_event_commands(CommandTable& table);
void add_runtime_guard_commands(CommandTable& table);

}  // namespace assay::libtorch
