// Maps commands to functions.
#pragma once

#include "harness/subject/command_table.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

using CommandTable = CommandTableOf<Call>;
using Handler = CommandTable::Handler;

/// All commands of the reference; created once.
const CommandTable& command_table();

// One function for each area, in separate files.
void add_session_commands(CommandTable& table);
void add_core_commands(CommandTable& table);
void add_amp_commands(CommandTable& table);
void add_optim_commands(CommandTable& table);
void add_scaler_commands(CommandTable& table);
void add_dispatch_commands(CommandTable& table);
void add_autograd_commands(CommandTable& table);
void add_autocast_commands(CommandTable& table);
void add_module_commands(CommandTable& table);
void add_runtime_commands(CommandTable& table);
void add_sim_commands(CommandTable& table);
void add_memory_commands(CommandTable& table);
void add_graph_commands(CommandTable& table);

}  // namespace assay::reference
