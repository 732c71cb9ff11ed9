// Creates the rows of a run before it is measured, describes its subjects, and reports its
// progress.
#include "harness/bench/planned.hpp"

#include <fmt/format.h>

#include "harness/protocol/utf8.hpp"
#include "harness/suite/card/excerpt.hpp"

namespace assay::bench {

void Progress::begin(const std::string& name, const std::string& subject, int round) {
  if (on_step_) {
    Step step{fmt::format("process {}: {} in {}", round + 1, name, subject), done_, planned_, {}};
    if (done_ > 0) {
      const std::chrono::duration<double> spent = Clock::now() - began_;
      const double each = spent.count() / static_cast<double>(done_);
      step.left = std::chrono::ceil<std::chrono::seconds>(
          std::chrono::duration<double>(each * static_cast<double>(planned_ - done_)));
    }
    on_step_(step);
  }
  ++done_;
}

using report::BenchMeasurement;
using report::BenchStatus;

Measured planned(const Plan& plan, const Kind& kind) {
  Measured measured;
  for (const Contender& contender : plan.contenders) {
    report::BenchSubject subject;
    subject.id = contender.id;
    subject.subject = contender.subject;
    subject.copy_of = contender.copy_of;
    measured.subjects.push_back(std::move(subject));
  }
  for (const measure::TimedCase& timed : plan.cases) {
    for (const Contender& contender : plan.contenders) {
      BenchMeasurement cell;
      cell.case_name = timed.name;
      cell.axes = timed.axes;
      cell.quantity = kind.quantity.empty() ? timed.quantity : kind.quantity;
      if (!kind.exact) cell.bytes = timed.bytes;
      cell.unit = kind.unit;
      cell.better = "lower";
      cell.exact = kind.exact;
      cell.subject = contender.id;
      measured.measurements.push_back(std::move(cell));
    }
  }
  return measured;
}

void introduce(WorkerClient& client, const Contender& contender, report::BenchSubject& subject) {
  const SubjectInfo info = client.hello();
  subject.name = info.name;
  subject.version = info.version;
  subject.contract = to_text(info.contract);
  if (contender.other_build) subject.build = client.build();
}

void leave_out(BenchMeasurement& cell, BenchStatus status, const std::string& reason) {
  constexpr std::size_t kMostReason = 1 << 10;
  cell.status = status;
  cell.reason = printable(excerpt(reason, kMostReason));
}

void fail(BenchMeasurement& cell, const std::string& reason) {
  leave_out(cell, BenchStatus::kFailed, reason);
}

std::string reason_of(const LinkBroken& broken) {
  const std::string& words = broken.last_words();
  const std::string first = words.substr(0, words.find('\n'));
  return first.empty() ? broken.what() : fmt::format("{}: {}", broken.what(), first);
}

namespace {

void set_status(BenchMeasurement& cell) {
  if (cell.status != BenchStatus::kNotRun) return;
  if (cell.processes.empty()) {
    cell.reason = "the run ended before it was measured";
    return;
  }
  cell.status = BenchStatus::kMeasured;
  cell.checked = true;
}

}  // namespace

Measured settled(Measured measured) {
  for (BenchMeasurement& cell : measured.measurements) set_status(cell);
  return measured;
}

void report_results_so_far(const Plan& plan, const Measured& so_far) {
  if (!plan.on_kept) return;
  Measured kept = settled(so_far);
  kept.interrupted = true;
  plan.on_kept(std::move(kept));
}

}  // namespace assay::bench
