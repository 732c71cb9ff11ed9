// Shows a run while it is in progress.
#include "harness/run/reporter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>
#include <sstream>

#include "harness/run/overall.hpp"
#include "harness/show/causes.hpp"
#include "harness/show/failures.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/text/neutral.hpp"

namespace assay {

// Shows progress; a thread updates it, because a case may take long.

namespace {

using std::chrono::duration;
using Clock = std::chrono::steady_clock;

/// Zero: never updated.
Clock::duration period_for(bool terminal) {
  if (terminal) return std::chrono::milliseconds(100);
  const char* wanted = std::getenv("ASSAY_HEARTBEAT");
  const double seconds = wanted == nullptr ? 30 : std::strtod(wanted, nullptr);
  if (!(seconds > 0 && seconds < 1e6)) return Clock::duration::zero();
  return std::chrono::duration_cast<Clock::duration>(duration<double>(seconds));
}

}  // namespace

LiveProgress::LiveProgress() : period_(period_for(terminal_)), due_(begin_ + period_) {
  if (period_ > Clock::duration::zero()) begin_ticking();
}

LiveProgress::~LiveProgress() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

/// Signals must interrupt calls of the other threads, so this one blocks them.
void LiveProgress::begin_ticking() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    ticker_ = std::thread([this] { tick_until_ended(); });
  } catch (const std::system_error&) {
    // If no thread can be created, the line is updated after each case.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void LiveProgress::tick_until_ended() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const auto next = terminal_ ? Clock::now() + std::chrono::seconds(1) : due_;
    ended_changed_.wait_until(lock, next, [&] { return ended_; });
    if (!ended_) write_if_due(Clock::now());
  }
}

void LiveProgress::write_if_due(Clock::time_point now) {
  if (now < due_ || period_ == Clock::duration::zero()) return;
  due_ = now + period_;
  if (!pace_) return;
  pace_->elapsed = now - begin_;
  if (terminal_) {
    line_.show(progress_line(*pace_, columns_of_terminal(own_errors())));
  } else {
    complain("assay: " + heartbeat_line(*pace_) + "\n");
  }
}

void LiveProgress::show(Pace pace) {
  const std::scoped_lock lock(mutex_);
  pace_ = std::move(pace);
  write_if_due(Clock::now());
}

void LiveProgress::count(std::size_t commands) {
  const std::scoped_lock lock(mutex_);
  if (pace_) pace_->commands = commands;
}

void LiveProgress::clear() {
  const std::scoped_lock lock(mutex_);
  if (terminal_) pace_.reset();
  line_.clear();
}

// The output.

namespace {

std::string case_line(const CaseResult& result) {
  const double ms = std::chrono::duration<double, std::milli>(result.duration).count();
  std::string line = fmt::format("{:<11} {:<72} {:<16} {:8.3f} ms\n", name_of(result.outcome),
                                 one_line(result.test->id), to_text(result.contract), ms);
  if (result.outcome == Outcome::kUnsupported) {
    line += wrapped(result.failure->sentence, 12, columns_of_terminal(), 2);
  }
  return line;
}

}  // namespace

void Reporter::attach(RunSubjectOptions& options) {
  seed_ = options.shuffle_seed;
  options.pool.on_start = [this](const Task& task) { start(task); };
  options.pool.on_result = [this](const CaseResult& result) { finish(result); };
  if (options.pool.jobs == 1) {
    options.pool.runner.on_commands = [this](std::size_t commands) { progress_.count(commands); };
  }
  options.on_plan = [this](const SubjectRun& run, const Plan& planned) { plan(run, planned); };
}

void Reporter::plan(const SubjectRun& run, const Plan& plan) {
  pace_.planned = plan.tasks.size();
  if (style_.quiet) return;
  std::string text = to_text(run.contracts.front());
  if (run.contracts.size() > 1) {
    text += fmt::format(" where a case admits it, else one of {} more", run.contracts.size() - 1);
  }
  if (run.info.foreign) text += ", foreign";
  for (const Property property : run.info.properties) {
    text += fmt::format("; {}", in_words(property));
  }
  print(fmt::format("{}: {} {}, {} cases\n  contract {}\n", one_line(subject_),
                    one_line(run.info.name), one_line(run.info.version), pace_.planned, text));
  if (!run.about_release.empty()) {
    print(wrapped(run.about_release, 2, columns_of_terminal(), 4));
  }
  if (seed_) print(fmt::format("  in random order; --shuffle --seed {} repeats it\n", *seed_));
}

void Reporter::start(const Task& task) {
  if (!has_begun_) pace_.known = pace_.done;
  has_begun_ = true;
  pace_.current = task.test->id;
  progress_.show(pace_);
}

void Reporter::finish(const CaseResult& result) {
  ++pace_.done;
  if (result.spoils()) ++pace_.bad;
  const bool is_shown = style_.verbose || (result.spoils() && !style_.quiet);
  if (is_shown) progress_.clear();
  if (style_.verbose) print(case_line(result));
  if (result.spoils()) show_failure(result);
}

void Reporter::show_failure(const CaseResult& result) {
  const std::uint64_t most = style_.most_cards();
  if (pace_.bad <= most) {
    CardOptions options;
    options.subject = subject_;
    options.colours = has_colours(own_output());
    options.columns = columns_of_terminal();
    progress_.clear();
    print("\n" + card(result, options) + "\n");
  } else if (!style_.quiet && !style_.verbose) {
    if (pace_.bad == most + 1) print("More failures, a line each (--cards N shows N in full):\n");
    const Reach reach = reach_of(*result.test);
    if (reach != listed_) print(fmt::format("  cases {}\n", in_words(reach)));
    listed_ = reach;
    print("  " + failure_line(result, columns_of_terminal() - 2, has_colours(own_output())));
  }
}

std::uint64_t ReportStyle::most_cards() const {
  constexpr std::uint64_t kUsual = 5;
  if (cards) return *cards;
  if (quiet) return 0;
  return verbose ? std::numeric_limits<std::uint64_t>::max() : kUsual;
}

std::string report_end(const std::string& subject, const SubjectRun& run,
                       const ClauseCount& clauses, const ReportStyle& style) {
  FailureListOptions list;
  list.subject = subject;
  list.columns = columns_of_terminal();
  list.colours = has_colours(own_output());
  if (!run.recorded.empty()) {
    list.replay = [&run](const CaseResult& result) { return run.recorded.at(result.test).replay; };
  }
  if (style.verbose) list.clauses = std::numeric_limits<std::size_t>::max();
  // If there is only one failure, its card is sufficient.
  const bool is_told = style.most_cards() > 0 && failures_of(run.results).size() == 1;
  const std::string ends = slowest(run.results, style.durations, list.columns) +
                           (is_told ? "" : failure_list(run.results, list)) + last_words(run);
  const std::string causes = cause_list(run.diagnosis, run.results, list);
  return style.quiet ? ends + causes
                     : ends + summary(run.results) + perturbed(run.results) + gaps(run.results) +
                           holes(clauses) + mistakes(run.results, list.columns) + causes;
}

std::string last_words(const SubjectRun& run) {
  if (run.tally.lost.empty() || run.last_words.empty()) return "";
  return "  its last words:\n" + wrapped(run.last_words, 4, columns_of_terminal(), 20);
}

std::string summary(const std::vector<CaseResult>& results) {
  std::map<std::string, std::map<Outcome, int>> areas;
  for (const CaseResult& result : results) {
    ++areas[result.test->id.substr(0, result.test->id.find('/'))][result.outcome];
  }
  std::string text;
  for (const auto& [area, outcomes] : areas) {
    text += fmt::format("  {:<8}", area);
    for (const auto& [outcome, count] : outcomes) {
      text += fmt::format(" {:>5} {}", count, name_of(outcome));
    }
    text += "\n";
  }
  return text;
}

std::string perturbed(const std::vector<CaseResult>& results) {
  std::map<std::string, std::size_t> counts;
  std::size_t sent_again = 0;
  for (const CaseResult& result : results) {
    if (!result.changes.empty()) ++sent_again;
    std::istringstream changes(result.changes);
    for (std::string change; changes >> change;) ++counts[change];
  }
  if (sent_again == 0) return "";
  return fmt::format(
      "  {} of {} cases were sent again: {} beside a copy, {} on another thread, {} on another "
      "device, {} with gradients off, {} with failing driver calls, {} with callables that raise\n",
      sent_again, results.size(), counts["beside"], counts["thread"], counts["device"],
      counts["no_grad"], counts["failure"], counts["raise"]);
}

std::string mistakes(const std::vector<CaseResult>& results, std::size_t columns) {
  std::vector<const CaseResult*> seen;  // once for all contracts
  for (const CaseResult& result : results) {
    const auto is_same = [&](const CaseResult* other) { return other->mistake == result.mistake; };
    if (!result.mistake.empty() && std::ranges::none_of(seen, is_same)) seen.push_back(&result);
  }
  if (seen.empty()) return "";
  std::ranges::stable_sort(seen, {},
                           [](const CaseResult* result) { return reach_of(*result->test); });
  std::string text =
      "  mistakes of PyTorch that this subject has, and what they can do to a training\n";
  for (const CaseResult* result : seen) {
    text += wrapped(
        fmt::format("{}: {}", one_line(result->test->clauses.front()), one_line(result->mistake)),
        4, columns, 6);
  }
  return text;
}

std::string holes(const ClauseCount& clauses) {
  constexpr std::size_t kMost = 24;
  if (clauses.holes.empty()) return "";
  const std::size_t named = std::min(kMost, clauses.holes.size());
  std::string text = fmt::format("{}", fmt::join(std::span(clauses.holes).first(named), ", "));
  if (named < clauses.holes.size()) {
    text += fmt::format(", and {} more", clauses.holes.size() - named);
  }
  return "  clauses without an answered case\n" + wrapped(text, 4, columns_of_terminal(), 4);
}

}  // namespace assay
