// The changes between two runs, case by case.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/pairs.hpp"

namespace assay::report {

/// The place of an exit code of a run in the order from good to bad.
int badness_of(int exit_code);

/// In the order of output.
enum class Change { kNewFailure, kNewPass, kAppeared, kVanished, kOtherFailure, kOther };

inline constexpr std::array<std::string_view, 6> kChangeHeads{
    "new failures", "new passes", "appeared", "vanished", "other failures", "other changes"};

struct ChangedCase {
  std::string subject;  ///< both names if they differ
  std::string id;
  std::string contract;  ///< empty if contracts are ignored
  /// Outcomes; `-` if there is no such case.
  std::string before, after;
  /// Message of a failure in the second run; where both fail, with both runs' values.
  std::string sentence;
  std::string reach;  ///< empty for what a training meets
};

struct DiffRules {
  /// Compare by id only, for runs under different contracts.
  bool is_across_contracts = false;
  /// Cases and subjects of only one record are not failures.
  bool may_vanish = false;
  /// Cases that passed must pass.
  bool is_strict = false;
  WantedPairs pairs;
};

struct RunDiff {
  std::vector<SubjectPair> subjects;
  /// Of each kind: what a training meets first, otherwise by id.
  std::array<std::vector<ChangedCase>, kChangeHeads.size()> changes;
  /// Cases in both records that ran in at least one of them.
  std::size_t compared = 0;
  /// Verdicts that are worse in the second run, a sentence each: not every one is a case's.
  std::vector<std::string> worse_verdicts;

  const std::vector<ChangedCase>& of(Change change) const {
    return changes[static_cast<std::size_t>(change)];
  }
  /// The number of subjects in only one record.
  std::size_t unpaired() const;
};

/// The records are not comparable; `what()` has one sentence per reason, with the file name.
class NotComparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Both records must outlive the result. Throws NotComparable.
RunDiff diff_of(const NamedRun& before, const NamedRun& after, const DiffRules& rules);

/// True if the second run is worse or less complete than the first.
bool is_worse(const RunDiff& diff, const DiffRules& rules);

}  // namespace assay::report
