// Shortens subject names that are long paths, keeping them distinguishable.
#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/page/data/sources.hpp"

namespace assay::page {

/// The shortened names and the full names that they stand for: one per record.
using ShortNames = std::map<std::string, std::set<std::string>>;

/// Removes folders from long paths in the names of subjects, in all records:
/// `/a/long/folder/assay-cuda` becomes `…/assay-cuda`. Keeps the differing folders if two names in
/// a record would become equal.
ShortNames shorten_subjects(Report& report);

}  // namespace assay::page
