// Maps commands to functions.
#pragma once

#include "harness/adapters/libtorch/call.hpp"
#include "harness/subject/command_table.hpp"

namespace assay::libtorch {

using CommandTable = CommandTableOf<Call>;
using Handler = CommandTable::Handler;

/// The table of all commands that this subject answers; created once.
const CommandTable& command_table();

/// The commands that belong to no area.
void add_session_commands(CommandTable& table);

// For each other command of the waist a function that answers it, core_to for core.to; weak: one
// that is defined nowhere is null.
#include <waist/weak_handlers.inc>

}  // namespace assay::libtorch
