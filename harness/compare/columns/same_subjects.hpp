// Which subjects of several records are the same, so that their rows stand beside each other.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Gives the subjects of whole records the names that they have in rows, by the rule of
/// `report::pair_names`: a subject that has another id in another record is called what it calls
/// itself. The result: whom that rule cannot tell apart, a sentence each.
std::vector<std::string> name_subjects(std::vector<Column>& columns);

}  // namespace assay::compare
