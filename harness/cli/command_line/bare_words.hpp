// Positional words of `assay run` that select cases: `assay run amp/update_scale core`.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/runner/selection.hpp"

namespace assay::cli {

/// The filters for the words: a case, a folder of cases, a prefix of names, a clause, or a pattern
/// as for --filter. Throws UsageError for a word that matches no case, with the nearest names, or
/// with the advice to use --full if that is sufficient.
std::vector<std::string> filters_of(const std::vector<std::string>& words, bool full);

}  // namespace assay::cli
