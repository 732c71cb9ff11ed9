// The table of commands and their functions.
#pragma once

#include "cuda_impl/subject/call.hpp"
#include "harness/subject/command_table.hpp"

namespace assay::cuda {

using CommandTable = CommandTableOf<Call>;

/// The table of all commands; created once.
const CommandTable& command_table();

void add_session_commands(CommandTable& table);

// The area core.
void add_core_tensor_commands(CommandTable& table);
void add_core_view_commands(CommandTable& table);
void add_core_copy_commands(CommandTable& table);
void add_core_dtype_commands(CommandTable& table);
void add_core_scalar_commands(CommandTable& table);
void add_core_device_commands(CommandTable& table);
void add_core_ivalue_commands(CommandTable& table);
void add_core_op_commands(CommandTable& table);
void add_gradient_commands(CommandTable& table);

void add_amp_commands(CommandTable& table);
void add_optim_commands(CommandTable& table);
void add_scaler_commands(CommandTable& table);
void add_graph_commands(CommandTable& table);
void add_bench_commands(CommandTable& table);

// The area runtime, and the controls of the simulated machine.
void add_runtime_device_commands(CommandTable& table);
void add_runtime_stream_commands(CommandTable& table);
void add_runtime_stream_value_commands(CommandTable& table);
void add_runtime_event_commands(CommandTable& table);
void add_runtime_guard_commands(CommandTable& table);
void add_runtime_python_commands(CommandTable& table);
void add_runtime_work_commands(CommandTable& table);
void add_runtime_failure_commands(CommandTable& table);
void add_runtime_backend_commands(CommandTable& table);
void add_sim_commands(CommandTable& table);

}  // namespace assay::cuda
