// One whole run on one subject: hello, plan, cases, tally.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/subjects.hpp"
#include "harness/suite/runner.hpp"
#include "harness/suite/verdict.hpp"
#include "harness/suite/waivers.hpp"

namespace assay::cli {

struct ConductOptions {
  Selection selection;
  /// Shuffles the cases.
  std::optional<std::uint64_t> shuffle_seed;
  std::vector<Waiver> waivers;
  bool strict_waivers = false;
  /// Its support policy is replaced by the subject's.
  RunnerOptions runner;
  /// Called once the plan is made.
  std::function<void(const SubjectInfo&, const std::vector<Contract>&, const Plan&)> on_plan;
};

struct SubjectRun {
  std::string subject;  ///< as typed
  SubjectInfo info;     ///< what it said to hello
  std::vector<Contract> contracts;
  std::vector<CaseResult> results;
  Tally tally;
  std::vector<std::string> waiver_findings;
};

/// Throws UsageError when the subject does not answer hello, or holds to none of the contracts that
/// the selection leaves.
SubjectRun conduct(ConnectedSubject& subject, ConductOptions options);

}  // namespace assay::cli
