// Patterns that choose no case: mistyped, most likely.
#pragma once

#include <string>

#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// Throws UsageError where one --filter matches no case and another does: the run would be taken
/// for what was asked. An idle --exclude leaves nothing out, and is only told.
void refuse_idle_filters(const Selection& selection);

/// A line for each --filter and --exclude of `selection` that matches no case, with the nearest
/// names, or only such as --full runs. Empty when there is none.
std::string about_idle_patterns(const Selection& selection);

/// Is there a case that it selects?
bool chooses_any(const Selection& selection);

/// `; did you mean a, b?` of clauses, cases and the folders above them; empty where none is near.
std::string nearest_names(const std::string& pattern);

}  // namespace assay::cli
