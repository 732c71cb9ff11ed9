// A complete run on one subject: hello, plan, cases, tally.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/console/usage_error.hpp"
#include "harness/diagnosis/diagnosis.hpp"
#include "harness/report/record.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/journal/journal.hpp"
#include "harness/suite/runner/pool.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

struct SubjectRun;

struct RunSubjectOptions {
  Selection selection;
  /// The cases to select from; null: all registered cases.
  const std::vector<Case>* cases = nullptr;
  /// If set, shuffles the cases.
  std::optional<std::uint64_t> shuffle_seed;
  std::vector<Waiver> waivers;
  bool strict_end = false;
  bool strict_waivers = false;
  /// If set, unanswered commands do not make the exit code 4.
  bool partial = false;
  /// Runs only this part of the cases.
  Shard shard;
  /// What the subject's hello was in earlier parts of the run, under each contract. Another is a
  /// failure of the subject.
  std::vector<Hello> introduced;
  /// The support policy, the factory for further subjects and its hello come from the subject.
  PoolOptions pool;
  /// Finished cases are written to it and read from it; may be null.
  Journal* journal = nullptr;
  /// The part's number in the journal, one per subject, counted from 1.
  std::size_t part = 1;
  /// Identifies the run for the journal, in addition to the other options.
  RunKey key;
  /// If not empty: the reason why no further cases run and only the journal's results are shown.
  std::string lost;
  /// Called once the plan is made.
  std::function<void(const SubjectRun&, const Plan&)> on_plan;
};

/// What decides the verdict besides the results; equal in all shards of a run.
struct RunRules {
  RunKey key;             ///< empty without a journal
  std::size_t cases = 0;  ///< of all shards together
  bool is_whole = false;  ///< the cases are those of the suites, and no filter leaves out any
  std::set<std::string> narrowed;  ///< areas of which all shards together lack cases
  std::vector<Waiver> waivers;
  std::vector<SupportEntry> support;
};

struct SubjectRun {
  std::string subject;  ///< as typed
  Hello info;           ///< its reply to hello
  /// Its reply under each contract.
  std::vector<Hello> introduced;
  std::vector<Contract> contracts;
  /// How a PyTorch relates to that contract, if it is none of its release.
  std::string about_release;
  /// Ordered by id, independent of the execution order.
  std::vector<CaseResult> results;
  RunRules rules;
  Tally tally;
  Diagnosis diagnosis;  ///< of its failures
  std::vector<std::string> waiver_findings;
  /// For a whole run: entries of support files that excused nothing.
  std::vector<std::string> support_findings;
  /// Events at the subject's end, after the last case.
  std::vector<std::string> remarks;
  /// The last output on standard error of a subject that was given up.
  std::string last_words;
  /// For results that were read from a record: that record, by case.
  std::map<const Case*, report::CaseRecord> recorded;

  /// True if every case that the suites have for this subject has run.
  bool covers_the_suites() const;
};

/// All areas that have a case.
std::set<std::string> all_areas();

/// Completes the tally and the findings of a run whose results are final.
void conclude(SubjectRun& run, const WaiverPolicy& waivers);

/// The subject supports none of the requested contracts.
class NoSupportedContract : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Throws UsageError if the subject's answer to hello is missing or invalid, or if it supports none
/// of the contracts that the selection leaves (NoSupportedContract).
SubjectRun run_subject(ConnectedSubject& subject, RunSubjectOptions options);

}  // namespace assay
