// What has changed between two runs, case by case.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/pairs.hpp"

namespace assay::report {

/// In the order in which they are shown.
enum class Change { kNewFailure, kNewPass, kAppeared, kVanished, kOther };

inline constexpr std::array<std::string_view, 5> kChangeHeads{
    "new failures", "new passes", "appeared", "vanished", "other changes"};

struct ChangedCase {
  std::string subject;  ///< of both records, where their names differ
  std::string id;
  std::string contract;  ///< empty where contracts are not told apart
  /// Outcomes; `-` where there is no such case.
  std::string before, after;
  std::string sentence;  ///< of a failure in the second run
};

struct DiffRules {
  /// Ids alone: the runs are under different contracts.
  bool is_across_contracts = false;
  /// What only one record has is not a failure.
  bool may_vanish = false;
  /// What passed must pass.
  bool is_strict = false;
  WantedPairs pairs;
};

struct RunDiff {
  std::vector<SubjectPair> subjects;
  std::array<std::vector<ChangedCase>, kChangeHeads.size()> changes;
  /// Cases that both records have, and that ran in one of them at least.
  std::size_t compared = 0;

  const std::vector<ChangedCase>& of(Change change) const {
    return changes[static_cast<std::size_t>(change)];
  }
  /// Subjects that only one record has.
  std::size_t unpaired() const;
};

/// The records cannot be compared; `what()` has a sentence on each reason, with the file's name.
class NotComparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Both records live as long as the result is used. Throws NotComparable.
RunDiff diff_of(const NamedRun& before, const NamedRun& after, const DiffRules& rules);

/// Is the second run worse than the first, or less than it?
bool is_worse(const RunDiff& diff, const DiffRules& rules);

}  // namespace assay::report
