// Which records may be compared, those of finished runs of the same share of cases, and which of
// their subjects are the same: the rule of all comparisons.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/report/record.hpp"

namespace assay::report {

struct SubjectName {
  std::string typed;  ///< unique on its side
  std::string own;    ///< the name in its hello; empty if unknown
};

struct NamePairs {
  /// Self-reported names that occur several times on one side.
  struct Unclear {
    std::string own;
    std::size_t before, after;  ///< numbers of subjects
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< indices in the two lists
  std::vector<Unclear> unclear;
};

/// Pairs equal names as typed; then, among the others, equal self-reported names, such as one
/// program in two folders. The order of the lists does not matter.
NamePairs pair_names(const std::vector<SubjectName>& before, const std::vector<SubjectName>& after);

/// A record with its file name.
struct NamedRun {
  std::string file;
  const RunRecord& run;
};

/// True if it has another outcome than `unsupported`.
bool ran(const CaseRecord& test);

/// True if one of its cases has.
bool has_run(const SubjectRecord& subject);

/// Why the record is incomplete, one sentence each with the file name and the remedy: it was
/// interrupted, cases were not started, a subject was given up or never started, or nothing
/// ran. Empty for a complete record.
std::vector<std::string> lacks_of(const NamedRun& record);

/// Why the two records do not cover the same share of a run; empty if they do.
std::string difference_of_shards(const NamedRun& before, const NamedRun& after);

/// One of the two is null if a subject is in one record only.
struct SubjectPair {
  const SubjectRecord* before = nullptr;
  const SubjectRecord* after = nullptr;

  /// As typed; both names if they differ.
  std::string name() const;
};

/// Names as typed, of the first record and of the second.
using WantedPairs = std::vector<std::pair<std::string, std::string>>;

struct Pairing {
  std::vector<SubjectPair> pairs;
  /// Why subjects cannot be told apart, one sentence each; `pairs` is invalid then.
  std::vector<std::string> refusals;
};

/// Pairs those of `wanted` first, then by the rule of `pair_names`. Ambiguous names are rejected.
Pairing pair_subjects(const NamedRun& before, const NamedRun& after, const WantedPairs& wanted);

}  // namespace assay::report
