// The output of a run while it is in progress (plan, progress, failures as cards or lines), and the
// report at its end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/console/terminal.hpp"
#include "harness/run/run_subject.hpp"
#include "harness/show/pace.hpp"

namespace assay {

// The progress of a run: a line that is updated on a terminal, or a new line from time to time
// elsewhere.

/// Writes to standard error. If that is not a terminal: one line every 30 seconds, or every
/// ASSAY_HEARTBEAT seconds; none for 0.
class LiveProgress {
 public:
  LiveProgress();
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  /// Shows the current state; sets `elapsed` itself.
  void show(Pace pace);
  /// Updates the number of the current case's answered commands. Thread-safe.
  void count(std::size_t commands);
  /// Must be called before anything else is printed; the next `show` prints the line again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void begin_ticking();
  void tick_until_ended();
  void write_if_due(Clock::time_point now);

  const bool terminal_ = is_terminal(own_errors());
  const Clock::duration period_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;  ///< guards all members below
  std::condition_variable ended_changed_;
  bool ended_ = false;
  Clock::time_point due_;
  std::optional<Pace> pace_;  ///< absent: nothing to show
  Progress line_;
  std::thread ticker_;
};

// The output.

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
