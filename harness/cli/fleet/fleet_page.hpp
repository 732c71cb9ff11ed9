// A fleet as a page: the odd GPUs with their reasons, and one strip of all.
#pragma once

#include <string>

#include "harness/cli/fleet/fleet_output.hpp"

namespace assay::cli {

/// HTML without scripts and other files, which can be printed.
std::string to_html(const JudgedFleet& judged);

}  // namespace assay::cli
