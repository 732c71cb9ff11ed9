// Cases, which are most of a record, taken out of its text before a tree is made of the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/record.hpp"

namespace assay::report {

/// A case, and its place in the list that it was taken from.
struct TakenCase {
  std::size_t place = 0;
  CaseRecord test;
};

struct ThinRecord {
  std::string rest;                           ///< the record without them
  std::vector<std::vector<TakenCase>> taken;  ///< a list for each subject
};

/// Takes out only what surely keeps to the schema, so that the record keeps to it if and only if
/// the rest does. Nothing where the text is not what a record looks like: it must be read whole
/// then.
std::optional<ThinRecord> without_plain_cases(std::string_view text);

/// Puts them back.
void put_back(std::vector<TakenCase> taken, std::vector<CaseRecord>& cases);

}  // namespace assay::report
