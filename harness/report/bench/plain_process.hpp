// Reads a process from a record's text without building a tree, because samples are most of the
// text of a bench record.
#pragma once

#include "harness/protocol/json_scan.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::report {

/// Throws MalformedMessage if the text may violate the schema, or contains unknown members, which
/// are left to the other reader.
BenchProcess plain_process(JsonScanner& scan);

}  // namespace assay::report
