// Runs one case several times and combines the results.
#include "harness/suite/runner/attempts.hpp"

#include <fmt/format.h>

#include <utility>

namespace assay {
namespace {

/// The combined result so far.
class Runs {
 public:
  void add(CaseResult result) {
    ++count_;
    duration_ += result.duration;
    if (result.outcome == Outcome::kPass) ++good_;
    // The first failure is the most informative: later ones may be consequences. A run without an
    // answer is no pass, whatever the others are.
    if (count_ == 1 || rank(result) > rank(shown_)) {
      shown_ = std::move(result);
      shown_run_ = count_;
    }
  }
  bool is_bad() const { return shown_.spoils(); }
  int good() const { return good_; }

  CaseResult result() {
    shown_.duration = duration_;
    if (count_ == 1 || !shown_.spoils()) return std::move(shown_);
    Failure& failure = *shown_.failure;
    failure.sentence = fmt::format("{} of {} runs passed; run {}: {}: {}", good_, count_,
                                   shown_run_, name_of(shown_.outcome), failure.sentence);
    // An error of the harness is always reported, however rare.
    if (good_ > 0 && shown_.outcome != Outcome::kInternal) shown_.outcome = Outcome::kFlaky;
    return std::move(shown_);
  }

 private:
  static int rank(const CaseResult& result) {
    return result.spoils() ? 2 : result.outcome == Outcome::kPass ? 0 : 1;
  }

  CaseResult shown_;
  std::chrono::nanoseconds duration_{0};
  int count_ = 0;
  int good_ = 0;
  int shown_run_ = 0;
};

}  // namespace

CaseResult run_attempts(Runner& runner, const Task& task, const Attempts& attempts) {
  Runs runs;
  for (int i = 0; i < attempts.repeat; ++i) runs.add(runner.run(task));
  for (int i = 0; i < attempts.rerun && runs.is_bad() && runs.good() == 0; ++i) {
    runs.add(runner.run(task));
  }
  return runs.result();
}

}  // namespace assay
