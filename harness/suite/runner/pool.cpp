// One thread per subject; each takes the next case when it has finished one.
#include "harness/suite/runner/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/subject/link/link.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay {

// Repeated runs.

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

// The pool.

const Task* Pool::next() {
  const std::scoped_lock lock(mutex_);
  const bool stopped = options_.stop != nullptr && options_.stop->is_set();
  if (stopped || ended_ || begun_ == tasks_.size()) return nullptr;
  const Task* task = &tasks_[begun_++];
  if (options_.on_start) options_.on_start(*task);
  return task;
}

void Pool::take(CaseResult result) {
  const std::scoped_lock lock(mutex_);
  if (options_.keep) options_.keep(result);
  judge_and_store(std::move(result));
}

void Pool::judge_and_store(CaseResult result) {
  if (options_.judge) options_.judge(result);
  if (options_.on_result) options_.on_result(result);
  if (options_.fail_fast && result.spoils()) ended_ = run_.failed_fast = true;
  run_.results.push_back(std::move(result));
}

void Pool::work(Link& link) {
  end_early_on(link, options_.stop);
  Runner runner(link, options_.runner);
  while (const Task* task = next()) take(run_attempts(runner, *task, options_.attempts));
  const bool stopped = options_.stop != nullptr && options_.stop->is_set();
  if (stopped) return;
  if (const auto remark = close_subject(link, options_.end_patience)) note(*remark);
}

void Pool::note(const std::string& remark) {
  const std::scoped_lock lock(mutex_);
  run_.remarks.push_back(remark);
}

void Pool::give_up(const std::string& why, const std::string& last_words) {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  run_.lost = why;
  run_.last_words = last_words;
}

void Pool::work_guarded(const std::function<void()>& body) {
  try {
    body();
  } catch (const SubjectChanged& changed) {
    give_up(changed.what(), changed.last_words());
    run_.changed = true;
  } catch (const SubjectLost& lost) {
    give_up(lost.what(), lost.last_words());
  } catch (const LinkBroken& broken) {
    give_up(broken.what(), broken.last_words());
  } catch (const Interrupted&) {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    if (error_ == nullptr) error_ = std::current_exception();
  }
}

PoolRun Pool::run(Link& first) {
  std::vector<std::jthread> others;
  const std::size_t wanted = std::min(static_cast<std::size_t>(options_.jobs), tasks_.size());
  for (std::size_t i = 1; i < wanted; ++i) {
    try {
      others.emplace_back([this] { work_guarded([this] { work(*options_.open()); }); });
    } catch (const std::system_error&) {
      break;  // no more threads available: the existing ones do the rest
    }
  }
  work_guarded([&] { work(first); });
  for (std::jthread& other : others) other.join();
  if (error_ != nullptr) std::rethrow_exception(error_);
  return std::move(run_);
}

}  // namespace assay
