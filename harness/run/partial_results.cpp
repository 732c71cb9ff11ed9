// Collects the results of a run in progress.
#include "harness/run/partial_results.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/run/record.hpp"

namespace assay {
namespace {

report::SubjectRecord interrupted(SubjectRun run, const std::string& label) {
  std::ranges::sort(run.results, {}, [](const CaseResult& result) {
    return std::tuple(result.test->id, to_text(result.contract));
  });
  for (const CaseResult& result : run.results) {
    run.tally.add(result);
    run.tally.duration += result.duration;
  }
  run.tally.interrupted = true;
  const ClauseCount clauses = count_clauses(run.tally, run.info, false);
  report::SubjectRecord record = record_of(run, clauses, verdict_line(label, run.tally, clauses));
  record.subject = label;
  return record;
}

}  // namespace

void PartialResults::watch(const std::string& label, RunSubjectOptions& options) {
  {
    const std::scoped_lock lock(mutex_);
    label_ = label;
    run_ = SubjectRun();
  }
  options.on_plan = [this, told = std::move(options.on_plan)](const SubjectRun& run,
                                                              const Plan& plan) {
    {
      const std::scoped_lock lock(mutex_);
      run_ = run;
    }
    if (told) told(run, plan);
  };
  options.pool.on_result = [this,
                            told = std::move(options.pool.on_result)](const CaseResult& result) {
    {
      const std::scoped_lock lock(mutex_);
      run_.results.push_back(result);
    }
    if (told) told(result);
  };
}

void PartialResults::add(report::SubjectRecord record) {
  const std::scoped_lock lock(mutex_);
  ended_.push_back(std::move(record));
  label_.clear();
}

void PartialResults::leave_out() {
  const std::scoped_lock lock(mutex_);
  label_.clear();
}

void PartialResults::add_absent(const std::string& label) {
  const std::scoped_lock lock(mutex_);
  absent_.push_back(label);
}

std::vector<std::string> PartialResults::absent() const {
  const std::scoped_lock lock(mutex_);
  return absent_;
}

std::vector<report::SubjectRecord> PartialResults::records() const {
  std::unique_lock lock(mutex_);
  std::vector<report::SubjectRecord> records = ended_;
  if (label_.empty()) return records;
  SubjectRun run = run_;
  const std::string label = label_;
  lock.unlock();
  records.push_back(interrupted(std::move(run), label));
  return records;
}

}  // namespace assay
