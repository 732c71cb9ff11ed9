// The name by which the user can call this program again.
#pragma once

#include <string>

namespace assay {

/// Quoted for a shell, for command lines to be repeated; `assay` until it is set.
const std::string& program_name();

/// The path of this program's file.
const std::string& program_path();

/// Computed from `argv[0]` of main: its last part if that finds this very program in PATH, else the
/// path as typed, else the program's own path.
void set_program_name(const std::string& argv0);

}  // namespace assay
