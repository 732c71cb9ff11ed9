// Words of `assay run` that choose cases: `assay run amp/update_scale core`.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// Filters that choose what the words name: a case, a folder of cases, the beginning of a name, a
/// clause, or any pattern that --filter takes. Throws UsageError for a word that chooses nothing,
/// with the nearest names, or with --full where that is all it lacks.
std::vector<std::string> filters_of(const std::vector<std::string>& words, bool full);

}  // namespace assay::cli
