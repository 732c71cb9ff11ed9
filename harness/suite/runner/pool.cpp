// One thread per subject; each takes the next case when it has finished one.
#include "harness/suite/runner/pool.hpp"

#include <algorithm>
#include <system_error>
#include <thread>

#include "harness/subject/link/closable_link.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay {

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
