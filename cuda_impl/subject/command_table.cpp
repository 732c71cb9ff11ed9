// The table of all commands.
#include "cuda_impl/subject/command_table.hpp"

#include "cuda_impl/subject/autocast/autocast_commands.hpp"
#include "cuda_impl/subject/autograd/autograd_commands.hpp"
#include "cuda_impl/subject/dispatch/commands.hpp"
#include "cuda_impl/subject/dispatch_schema/schema_commands.hpp"
#include "cuda_impl/subject/memory/memory_commands.hpp"
#include "cuda_impl/subject/module/module_commands.hpp"

namespace assay::cuda {
namespace {

CommandTable make_table() {
  CommandTable table;
  for (const auto add : {add_session_commands,
                         add_core_tensor_commands,
                         add_core_view_commands,
                         add_core_copy_commands,
                         add_core_dtype_commands,
                         add_core_scalar_commands,
                         add_core_device_commands,
                         add_core_ivalue_commands,
                         add_core_op_commands,
                         add_gradient_commands,
                         add_amp_commands,
                         add_optim_commands,
                         add_scaler_commands,
                         add_graph_commands,
                         add_bench_commands,
                         add_runtime_device_commands,
                         add_runtime_stream_commands,
                         add_runtime_stream_value_commands,
                         add_runtime_event_commands,
                         add_runtime_guard_commands,
                         add_runtime_python_commands,
                         add_runtime_work_commands,
                         add_runtime_failure_commands,
                         add_runtime_backend_commands,
                         add_sim_commands,
                         add_memory_block_commands,
                         add_memory_setting_commands,
                         add_memory_pinned_commands,
                         add_schema_commands,
                         add_dispatch_commands,
                         add_autocast_commands,
                         add_autograd_commands,
                         add_module_commands}) {
    add(table);
  }
  return table;
}

}  // namespace

const CommandTable& command_table() {
  static const CommandTable table = make_table();
  return table;
}

}  // namespace assay::cuda
