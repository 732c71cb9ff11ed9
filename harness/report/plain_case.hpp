// A case of a record's text, read without a tree in between: there are tens of thousands of them.
#pragma once

#include <optional>
#include <string_view>

#include "harness/report/record.hpp"

namespace assay::report {

/// Nothing where the text may break the schema, or has what this reader leaves to the other one:
/// unknown members, and numbers of programs that are no integers.
std::optional<CaseRecord> plain_case(std::string_view text);

}  // namespace assay::report
