// One whole run on one subject: hello, plan, cases, tally.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/console/usage_error.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/journal/journal.hpp"
#include "harness/suite/runner/pool.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

struct RunSubjectOptions {
  Selection selection;
  /// What is selected from; null: all cases there are.
  const std::vector<Case>* cases = nullptr;
  /// Shuffles the cases.
  std::optional<std::uint64_t> shuffle_seed;
  std::vector<Waiver> waivers;
  bool strict_waivers = false;
  /// What is left unanswered does not make the exit code 4.
  bool partial = false;
  /// Only this part of the cases.
  Shard shard;
  /// The support policy and what opens more subjects are the subject's.
  PoolOptions pool;
  /// Where finished cases are written, and found again; may be null.
  Journal* journal = nullptr;
  /// Of the journal: one a subject, counted from 1.
  std::size_t part = 1;
  /// What makes the run the same run for the journal, beside what follows from the rest.
  RunKey key;
  /// Why no case is run any more, only what the journal has is shown; empty where all are run.
  std::string lost;
  /// Called once the plan is made.
  std::function<void(const SubjectInfo&, const std::vector<Contract>&, const Plan&)> on_plan;
};

struct SubjectRun {
  std::string subject;  ///< as typed
  Hello info;           ///< what it said to hello
  std::vector<Contract> contracts;
  /// In the order of ids, whatever order they ran in.
  std::vector<CaseResult> results;
  Tally tally;
  std::vector<std::string> waiver_findings;
  /// Of a whole run: entries of support files that excuse nothing.
  std::vector<std::string> support_findings;
  /// What the subject did at its end, behind the last case.
  std::vector<std::string> remarks;
  /// The end of what a subject wrote to standard error before it was given up.
  std::string last_words;
};

/// The subject holds to none of the contracts that were asked for.
class HoldsToNone : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Throws UsageError when the subject's answer to hello is none, it never gave one, or it
/// holds to none of the contracts that the selection leaves (HoldsToNone).
SubjectRun run_subject(ConnectedSubject& subject, RunSubjectOptions options);

}  // namespace assay
