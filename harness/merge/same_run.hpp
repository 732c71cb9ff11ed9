// Checks that records are those of the shards of one run.
#pragma once

#include <string>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

struct ShardFile;

/// Views of `ShardFile`s, which must outlive them.
struct PlacedShard {
  std::string file;
  Shard place;
  const report::RunRecord* run = nullptr;
};

/// What a shard has of a part; it has a basis.
struct PartOfShard {
  std::string file;
  Shard place;
  std::string started;
  const report::SubjectRecord* record = nullptr;
};

/// In the order of the shards. Throws UsageError for records that cannot be put together with any.
std::vector<PlacedShard> placed(const std::vector<ShardFile>& files);

/// For each part of the run, what the shards have of it; nothing if they left it out. Throws
/// UsageError with the first difference if they are not shards of one run.
std::vector<std::vector<PartOfShard>> parts_of_one_run(const std::vector<PlacedShard>& shards);

/// Throws UsageError: the case is in two shards.
[[noreturn]] void refuse_overlap(const std::string& case_id, const std::string& other_file,
                                 const PartOfShard& shard);

}  // namespace assay
