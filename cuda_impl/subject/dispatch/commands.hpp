// The commands of the area dispatch, in parts.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void add_dispatch_commands(CommandTable& table);

void add_dispatch_key_commands(CommandTable& table);
void add_dispatch_thread_commands(CommandTable& table);
void add_dispatch_registration_commands(CommandTable& table);
void add_dispatch_entry_commands(CommandTable& table);
void add_dispatch_call_commands(CommandTable& table);
void add_dispatch_ask_commands(CommandTable& table);
void add_dispatch_watch_commands(CommandTable& table);

}  // namespace assay::cuda
