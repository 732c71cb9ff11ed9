// The commands of the area dispatch, one file for each part.
#pragma once

#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_dispatch_key_commands(CommandTable& table);
void add_dispatch_tls_commands(CommandTable& table);
void add_dispatch_schema_commands(CommandTable& table);
void add_dispatch_registration_commands(CommandTable& table);
void add_dispatch_entry_commands(CommandTable& table);
void add_dispatch_call_commands(CommandTable& table);
void add_dispatch_ask_commands(CommandTable& table);
void add_dispatch_listener_commands(CommandTable& table);

}  // namespace assay::reference
