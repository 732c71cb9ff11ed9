// An unknown word in the place of a command.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command_line/command_line.hpp"

namespace assay::cli {

/// Throws UsageError that names the word and the nearest commands. `argv` as main got it; `app` has
/// all its commands.
void refuse_unknown_command(CliCommand app, const std::vector<std::string>& argv);

}  // namespace assay::cli
