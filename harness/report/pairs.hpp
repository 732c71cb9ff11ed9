// Pairs the subjects of two records.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/report/comparable.hpp"

namespace assay::report {

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
