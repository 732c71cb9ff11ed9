// Which subject of one record is which of another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/report/comparable.hpp"

namespace assay::report {

/// One of the two is null where a subject is in one record only.
struct SubjectPair {
  const SubjectRecord* before = nullptr;
  const SubjectRecord* after = nullptr;

  /// As typed; both names where they differ.
  std::string name() const;
};

/// Names as typed, of the first record and of the second.
using WantedPairs = std::vector<std::pair<std::string, std::string>>;

struct Pairing {
  std::vector<SubjectPair> pairs;
  /// Why the subjects cannot be told apart, a sentence each; then `pairs` says nothing.
  std::vector<std::string> refusals;
};

/// First those of `wanted`, then by the rule of `pair_names`. Two that could be meant are refused.
Pairing pair_subjects(const NamedRun& before, const NamedRun& after, const WantedPairs& wanted);

}  // namespace assay::report
