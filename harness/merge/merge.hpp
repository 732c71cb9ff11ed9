// Puts the shards of a run together: one record, as if it had not been divided.
#pragma once

#include <string>
#include <vector>

#include "harness/merge/rebuilt.hpp"
#include "harness/report/record.hpp"

namespace assay {

/// The record of a shard, or of a whole run, which is the shard 1/1.
struct ShardFile {
  std::string file;
  report::RunRecord run;
};

/// A part of the run with the results of all shards; its tally and its findings are complete.
struct MergedPart {
  report::PartRecord asked;
  SubjectRun run;
};

struct MergedRun {
  /// The record without its subjects and its verdict.
  report::RunRecord head;
  /// Without those of which no shard has a record.
  std::vector<MergedPart> parts;
  RebuiltCases cases;
  /// Sentences about shards that are missing, or were given more than once.
  std::vector<std::string> remarks;
};

/// Waivers, required areas and findings are judged on all results, by the day of the latest shard.
/// A case that two records of one shard judge differently is flaky. Throws UsageError, with the
/// first difference, for records that are not of one run, of an unfinished run, or of another
/// program than this, and if a verdict does not follow from its cases.
MergedRun merge(std::vector<ShardFile> files);

}  // namespace assay
