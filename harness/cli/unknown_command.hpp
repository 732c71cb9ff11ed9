// A word that stands where a command should, and is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

/// Throws UsageError that names the word and the nearest commands. `argv` as main got it; `app` has
/// all its commands.
void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& argv);

}  // namespace assay::cli
