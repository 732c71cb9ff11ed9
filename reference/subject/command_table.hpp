// Maps commands to functions.
#pragma once

#include "harness/subject/command_table.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

using CommandTable = CommandTableOf<Call>;

/// The table of all commands; created once.
const CommandTable& command_table();

/// The commands that belong to no area.
void add_session_commands(CommandTable& table);

// For each other command of the waist a function that answers it: core_to for core.to.
#include <waist/handlers.inc>

}  // namespace assay::reference
