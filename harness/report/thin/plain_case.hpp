// Reads a case from a record's text without building a tree, because there are tens of thousands.
#pragma once

#include <optional>
#include <string_view>

#include "harness/report/record.hpp"

namespace assay::report {

/// Nothing if the text may violate the schema, or contains what is left to the other reader:
/// unknown members, and program numbers that are not integers.
std::optional<CaseRecord> plain_case(std::string_view text);

}  // namespace assay::report
