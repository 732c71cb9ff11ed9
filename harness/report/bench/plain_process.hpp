// What a process gave, read from a record's text without a tree in between: most of the text of a
// bench record is samples.
#pragma once

#include "harness/protocol/json_scan.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::report {

/// Throws MalformedMessage where the text may break the schema, or has what this reader leaves to
/// the other one: unknown members.
BenchProcess plain_process(JsonScanner& scan);

}  // namespace assay::report
