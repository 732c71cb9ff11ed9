// Reports an unknown command.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command_line/command_line.hpp"

namespace assay::cli {

/// Throws UsageError with the unknown word and the nearest commands. `argv` is that of main; `app`
/// must already have all its commands.
void refuse_unknown_command(CliCommand app, const std::vector<std::string>& argv);

}  // namespace assay::cli
