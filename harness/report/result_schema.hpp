// The published schemas of records: the files of results/schema/, compiled into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/embedded.hpp"

namespace assay::report {

/// What is wrong with the text of a record by the schema in the file of that name, `run-1.json`;
/// empty when nothing is. Each opens with a JSON pointer: `/subjects/0/exit: …`.
std::vector<std::string> complaints_about(std::string_view schema, std::string_view text);

}  // namespace assay::report

namespace assay {

/// The files of results/schema/.
std::span<const EmbeddedFile> result_schemas();

}  // namespace assay
