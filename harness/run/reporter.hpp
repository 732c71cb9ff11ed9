// What a run shows while it goes on (the plan, progress, failures as cards or lines), and at its
// end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/live_progress.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// How much is shown.
struct ReportStyle {
  bool verbose = false;  ///< a line for every case
  bool quiet = false;    ///< no more than the list of failures
  /// So many failures of a subject are shown in full; absent: 5, with `verbose` all, with `quiet`
  /// none.
  std::optional<std::uint64_t> cards;
  std::uint64_t durations = 0;  ///< so many of the slowest cases are named at the end

  std::uint64_t most_cards() const;
};

class Reporter {
 public:
  Reporter(std::string subject, ReportStyle style) : subject_(std::move(subject)), style_(style) {}

  /// Puts itself behind the callbacks of `options`; must outlive the run.
  void attach(RunSubjectOptions& options);

 private:
  void plan(const SubjectInfo& info, const std::vector<Contract>& contracts, const Plan& plan);
  void start(const Task& task);
  void finish(const CaseResult& result);
  void show_failure(const CaseResult& result);

  std::string subject_;
  ReportStyle style_;
  LiveProgress progress_;
  Pace pace_;
  bool has_begun_ = false;  ///< what finishes before comes from an earlier run
  std::optional<std::uint64_t> seed_;
};

/// What stands at the end of the report on a subject, above the verdict: the slowest cases, the
/// list of failures (unless a card has told the only one), the areas, what is unsupported, clauses
/// without a witness, last words.
std::string report_end(const std::string& subject, const SubjectRun& run,
                       const ClauseCount& clauses, const ReportStyle& style);

/// What a subject that was given up wrote last; empty for others.
std::string last_words(const SubjectRun& run);

/// A line an area: how many of its cases came out how.
std::string summary(const std::vector<CaseResult>& results);

/// The clauses that no case of a whole run was answered for.
std::string holes(const ClauseCount& clauses);

}  // namespace assay
