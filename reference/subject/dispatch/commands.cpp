// The command table of the area dispatch.
#include "reference/subject/dispatch/commands.hpp"

namespace assay::reference {

void add_dispatch_commands(CommandTable& table) {
  add_dispatch_key_commands(table);
  add_dispatch_tls_commands(table);
  add_dispatch_schema_commands(table);
  add_dispatch_registration_commands(table);
  add_dispatch_entry_commands(table);
  add_dispatch_call_commands(table);
  add_dispatch_ask_commands(table);
  add_dispatch_listener_commands(table);
}

}  // namespace assay::reference
