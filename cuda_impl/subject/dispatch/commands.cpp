// The commands of area dispatch.
#include "cuda_impl/subject/dispatch/commands.hpp"

namespace assay::cuda {

void add_dispatch_commands(CommandTable& table) {
  for (const auto add :
       {add_dispatch_key_commands, add_dispatch_thread_commands, add_dispatch_registration_commands,
        add_dispatch_entry_commands, add_dispatch_call_commands, add_dispatch_ask_commands,
        add_dispatch_watch_commands}) {
    add(table);
  }
}

}  // namespace assay::cuda
