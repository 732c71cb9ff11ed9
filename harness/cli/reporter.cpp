// Showing a run while it goes on.
#include "harness/cli/reporter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "harness/protocol/utf8.hpp"
#include "harness/suite/card.hpp"

namespace assay::cli {
namespace {

std::string case_line(const CaseResult& result) {
  const double ms = std::chrono::duration<double, std::milli>(result.duration).count();
  std::string line = fmt::format("{:<11} {:<72} {:<16} {:8.3f} ms\n", name_of(result.outcome),
                                 result.test->id, to_text(result.contract), ms);
  if (result.outcome == Outcome::kUnsupported) {
    line += wrapped(result.failure->sentence, 12, 100, 2);
  }
  return line;
}

}  // namespace

void Reporter::attach(ConductOptions& options) {
  seed_ = options.shuffle_seed;
  options.pool.on_start = [this](const Task& task) { start(task); };
  options.pool.on_result = [this](const CaseResult& result) { finish(result); };
  options.on_plan = [this](const SubjectInfo& info, const std::vector<Contract>& contracts,
                           const Plan& planned) { plan(info, contracts, planned); };
}

void Reporter::plan(const SubjectInfo& info, const std::vector<Contract>& contracts,
                    const Plan& plan) {
  planned_ = plan.tasks.size();
  std::string text = to_text(contracts.front());
  if (contracts.size() > 1) {
    text += fmt::format(" where a case admits it, else one of {} more", contracts.size() - 1);
  }
  print(fmt::format("{}: {} {}, {} cases\n  contract {}\n", subject_, printable(info.name),
                    printable(info.version), planned_, text));
  if (seed_)
    print(fmt::format("  in an order of its own; --shuffle --seed {} repeats it\n", *seed_));
}

void Reporter::start(const Task& task) {
  const std::string bad = bad_ == 0 ? "" : fmt::format(", {} bad", bad_);
  progress_.show(fmt::format("[{}/{}{}] {}", done_ + 1, planned_, bad, task.test->id));
}

void Reporter::finish(const CaseResult& result) {
  ++done_;
  if (result.spoils()) ++bad_;
  if (!result.spoils() && !verbose_) return;
  progress_.clear();
  if (verbose_) print(case_line(result));
  if (!result.spoils()) return;
  CardOptions options;
  options.subject = subject_;
  options.colours = has_colours(stdout);
  print("\n" + card(result, options) + "\n");
}

std::string last_words(const SubjectRun& run) {
  if (run.tally.lost.empty() || run.last_words.empty()) return "";
  return "  its last words:\n" + wrapped(run.last_words, 4, 100, 20);
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

std::string holes(const ClauseCount& clauses) {
  constexpr std::size_t kMost = 24;
  if (clauses.holes.empty()) return "";
  const std::size_t named = std::min(kMost, clauses.holes.size());
  std::string text = fmt::format("{}", fmt::join(std::span(clauses.holes).first(named), ", "));
  if (named < clauses.holes.size()) {
    text += fmt::format(", and {} more", clauses.holes.size() - named);
  }
  return "  no case was answered for\n" + wrapped(text, 4, 100, 4);
}

}  // namespace assay::cli
