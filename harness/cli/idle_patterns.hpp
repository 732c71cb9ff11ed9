// Patterns that choose no case: mistyped, most likely.
#pragma once

#include <string>

#include "harness/suite/selection.hpp"

namespace assay::cli {

/// A line for each --filter and --exclude of `selection` that matches no case, with the nearest
/// names, or only such as --full runs. Empty when there is none.
std::string about_idle_patterns(const Selection& selection);

}  // namespace assay::cli
