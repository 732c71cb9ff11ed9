// Extracts the cases, which are most of a record, from its text before a tree is built of the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/record.hpp"

namespace assay::report {

/// A case with its index in the original list.
struct TakenCase {
  std::size_t place = 0;
  CaseRecord test;
};

struct ThinRecord {
  std::string rest;                           ///< the record without them
  std::vector<std::vector<TakenCase>> taken;  ///< a list for each subject
};

/// Extracts only cases that certainly follow the schema, so that the record is valid if and only if
/// the rest is. Nothing if the text does not look like a record and must be read as a
/// whole.
std::optional<ThinRecord> without_plain_cases(std::string_view text);

/// Inserts them again.
void put_back(std::vector<TakenCase> taken, std::vector<CaseRecord>& cases);

}  // namespace assay::report
