// Detects --filter and --exclude patterns that match no case, which are probably mistyped.
#pragma once

#include <string>

#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// Throws UsageError if one --filter matches no case while another does: the run would appear to
/// cover both. An --exclude without effect is only reported.
void refuse_unmatched_filters(const Selection& selection);

/// One line for each --filter and --exclude of `selection` that matches no case, with the nearest
/// names, or with the advice to use --full. Empty if there is none.
std::string describe_unmatched_patterns(const Selection& selection);

/// True if the selection contains a case.
bool chooses_any(const Selection& selection);

/// `; did you mean a, b?` with clauses, cases and folders of cases; empty if none is similar.
std::string nearest_names(const std::string& pattern);

}  // namespace assay::cli
