// The shard of this process, as job schedulers and CI systems say it in the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/suite/runner/selection.hpp"

namespace assay {

struct FoundShard {
  Shard shard;
  std::string from;  ///< the variable that says which: `SLURM_ARRAY_TASK_ID`
};

/// The value of an environment variable; null if it is not set.
using Variables = std::function<const char*(const char*)>;

/// The number N of `auto/N`, 0 for `auto`; nothing for other texts.
std::optional<std::size_t> auto_shard_from_text(std::string_view text);

/// Reads the variables of Slurm (array jobs, and tasks of a step), Kubernetes (indexed jobs),
/// GitLab CI, CircleCI and Buildkite. `count` is the number of shards if the user gave it, else 0:
/// the systems must agree with it, and Kubernetes says none. A system that has divided nothing, and
/// says 1 of 1, decides only if no other does. Throws UsageError if none says anything, if two
/// disagree, and for values that are no shard, such as those of an array with gaps.
FoundShard shard_of_environment(std::size_t count, const Variables& variable);

}  // namespace assay
