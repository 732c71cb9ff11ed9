// Finds which subjects of several records are the same, so that their rows are paired.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Names the subjects of whole records for their rows, by the rule of `report::pair_names`: a
/// subject whose id differs between records gets the name that it reports.
/// Returns one sentence for each group of subjects that this rule cannot tell apart.
std::vector<std::string> name_subjects(std::vector<Column>& columns);

}  // namespace assay::compare
