// The published schemas of records: the files of results/schema/, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/embedded.hpp"

namespace assay::report {

/// Errors of a record's text by the schema with that file name, `run-1.json`; empty if it is valid.
/// Each begins with a JSON pointer: `/subjects/0/exit: …`.
std::vector<std::string> complaints_about(std::string_view schema, std::string_view text);

}  // namespace assay::report

namespace assay {

/// The files of results/schema/.
std::span<const EmbeddedFile> result_schemas();

}  // namespace assay
