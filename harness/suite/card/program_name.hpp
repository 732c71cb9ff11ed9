// What the user types to call this program again.
#pragma once

#include <string>

namespace assay {

/// One word for a shell, for lines that repeat something; `assay` until it is set.
const std::string& program_name();

/// From what `main` was given as `argv[0]`: its last part where the shell finds this very program
/// by it in PATH, else the path as it was typed, else the program's own path.
void set_program_name(const std::string& argv0);

}  // namespace assay
