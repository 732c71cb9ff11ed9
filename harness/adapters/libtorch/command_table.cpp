// Collects the commands of all areas.
#include "harness/adapters/libtorch/command_table.hpp"

#include "harness/adapters/libtorch/bench/commands.hpp"

namespace assay::libtorch {

const CommandTable& command_table() {
  static const CommandTable table = [] {
    CommandTable made;
    add_session_commands(made);
    add_core_type_commands(made);
    add_core_tensor_commands(made);
    add_core_ivalue_commands(made);
    add_dispatch_key_commands(made);
    add_dispatch_tensor_commands(made);
    add_dispatch_tls_commands(made);
    add_dispatch_schema_commands(made);
    add_dispatch_registration_commands(made);
    add_dispatch_library_commands(made);
    add_dispatch_call_commands(made);
    add_dispatch_ask_commands(made);
    add_dispatch_listener_commands(made);
    add_runtime_stream_commands(made);
    add_runtime_event_commands(made);
    add_runtime_guard_commands(made);
    add_bench_commands(made);
    return made;
  }();
  return table;
}

}  // namespace assay::libtorch
