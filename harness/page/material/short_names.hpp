// Names of subjects that are long paths, as short as they can be told apart.
#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/page/material/sources.hpp"

namespace assay::page {

/// What was shortened, and to whom each name belongs: one a record.
using ShortNames = std::map<std::string, std::set<std::string>>;

/// Cuts the folders from long paths in the names of subjects, in all records:
/// `/a/long/folder/assay-cuda` is `…/assay-cuda`. Of two that would be one in a record, the folders
/// that differ stay.
ShortNames shorten_subjects(Report& report);

}  // namespace assay::page
