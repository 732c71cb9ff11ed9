// The output of a run while it is in progress (plan, progress, failures as cards or lines), and the
// report at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/live_progress.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// The amount of output.
struct ReportStyle {
  bool verbose = false;  ///< one line for every case
  bool quiet = false;    ///< only the list of failures
  /// The number of failures of a subject shown in full. Default: 5; all with `verbose`, none with
  /// `quiet`.
  std::optional<std::uint64_t> cards;
  std::uint64_t durations = 0;  ///< the number of slowest cases shown at the end

  std::uint64_t most_cards() const;
};

class Reporter {
 public:
  Reporter(std::string subject, ReportStyle style) : subject_(std::move(subject)), style_(style) {}

  /// Installs the reporter's callbacks in `options`; the reporter must outlive the run.
  void attach(RunSubjectOptions& options);

 private:
  void plan(const SubjectRun& run, const Plan& plan);
  void start(const Task& task);
  void finish(const CaseResult& result);
  void show_failure(const CaseResult& result);

  std::string subject_;
  ReportStyle style_;
  LiveProgress progress_;
  Pace pace_;
  bool has_begun_ = false;           ///< results before this are from an earlier run
  Reach listed_ = Reach::kTraining;  ///< of the last failure that got a line
  std::optional<std::uint64_t> seed_;
};

/// The end of the report on a subject, above the verdict: the slowest cases, the list of failures
/// (unless a card showed the only one), the areas, unsupported commands, clauses without a witness,
/// and the subject's last output.
std::string report_end(const std::string& subject, const SubjectRun& run,
                       const ClauseCount& clauses, const ReportStyle& style);

/// The last output of a subject that was given up; empty for others.
std::string last_words(const SubjectRun& run);

/// One line per area, with the number of cases by outcome.
std::string summary(const std::vector<CaseResult>& results);

/// How many programs were sent again, and with which changes; empty without --perturb.
std::string perturbed(const std::vector<CaseResult>& results);

/// The mistakes of PyTorch that cases saw, and what they can do to a training.
std::string mistakes(const std::vector<CaseResult>& results, std::size_t columns);

/// The clauses for which a whole run had no answered case.
std::string holes(const ClauseCount& clauses);

}  // namespace assay
