// The files in which a run is recorded.
#pragma once

#include <string>

#include "harness/report/record.hpp"

namespace assay {

/// Empty paths are not written.
struct RecordFiles {
  std::string json, junit, markdown;
};

/// Throws report::CannotWrite.
void write_record(const RecordFiles& files, const report::RunRecord& run);

/// In a workflow of GitHub, prints annotations.
void annotate(const report::RunRecord& run);

}  // namespace assay
