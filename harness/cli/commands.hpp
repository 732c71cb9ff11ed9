// The commands of `assay`, one file each.
#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

/// Each adds its command to `app`; when that is chosen, its exit code is put into `exit_code`.
void add_run(CLI::App& app, int& exit_code);

}  // namespace assay::cli
