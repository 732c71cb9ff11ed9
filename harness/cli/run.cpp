// assay run: the conformance cases on one or more subjects, and the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/conduct.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/suite/card.hpp"

namespace assay::cli {
namespace {

struct RunOptions {
  std::vector<std::string> subjects;
  Selection selection;
  SubjectOptions subject;
  std::uint64_t seed = 0;
  bool shuffled = false;
  bool verbose = false;
};

std::string plan_line(const std::string& subject, const SubjectInfo& info,
                      const std::vector<Contract>& contracts, const Plan& plan) {
  std::string first;
  for (const Contract& contract : contracts) {
    if (first.size() < 40) first += (first.empty() ? "" : ", ") + to_text(contract);
  }
  return fmt::format("{}: {} {}, {} cases; contracts {}{}\n", subject, info.name, info.version,
                     plan.tasks.size(), first, contracts.size() > 3 ? ", …" : "");
}

std::string case_line(const CaseResult& result) {
  std::string line = fmt::format(
      "{:<11} {:<72} {:<16} {:8.3f} ms\n", name_of(result.outcome), result.test->id,
      to_text(result.contract), std::chrono::duration<double, std::milli>(result.duration).count());
  if (result.outcome == Outcome::kUnsupported) {
    line += wrapped(result.failure->sentence, 12, 100, 2);
  }
  return line;
}

/// A line an area: how many of its cases came out how.
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

/// Shows what happens while it happens.
class Reporter {
 public:
  Reporter(const RunOptions& options, const std::string& subject)
      : options_(options), subject_(subject) {}

  ConductOptions hooks(const std::atomic<bool>& stop) {
    ConductOptions hooks;
    hooks.selection = options_.selection;
    if (options_.shuffled) hooks.shuffle_seed = options_.seed;
    hooks.runner.stop = &stop;
    hooks.runner.on_start = [this](const Task& task) { start(task); };
    hooks.runner.on_result = [this](const CaseResult& result) { finish(result); };
    hooks.on_plan = [this](const SubjectInfo& info, const std::vector<Contract>& contracts,
                           const Plan& plan) {
      planned_ = plan.tasks.size();
      print(plan_line(subject_, info, contracts, plan));
    };
    return hooks;
  }

 private:
  void start(const Task& task) {
    const std::string bad = bad_ == 0 ? "" : fmt::format(", {} bad", bad_);
    progress_.show(fmt::format("[{}/{}{}] {}", done_ + 1, planned_, bad, task.test->id));
  }

  void finish(const CaseResult& result) {
    ++done_;
    if (result.spoils()) ++bad_;
    if (!result.spoils() && !options_.verbose) return;
    progress_.clear();
    if (options_.verbose) print(case_line(result));
    if (!result.spoils()) return;
    CardOptions card_options;
    card_options.subject = subject_;
    card_options.colours = has_colours(stdout);
    print(card(result, card_options) + "\n");
  }

  const RunOptions& options_;
  const std::string& subject_;
  Progress progress_;
  std::size_t planned_ = 0;
  std::size_t done_ = 0;
  std::size_t bad_ = 0;
};

SubjectRun run_one(const RunOptions& options, const std::string& name,
                   const std::atomic<bool>& stop) {
  ConnectedSubject subject = connect(name, options.subject);
  Reporter reporter(options, name);
  return conduct(subject, reporter.hooks(stop));
}

/// Of several subjects the worst counts; interrupted is worse than internal, that than failed.
int worst(const std::vector<SubjectRun>& runs) {
  for (const int code : {kExitInterrupted, kExitInternal, kExitFailure, kExitNothingRan}) {
    const bool any = std::any_of(runs.begin(), runs.end(), [&](const SubjectRun& run) {
      return run.tally.exit_code() == code;
    });
    if (any) return code;
  }
  return kExitOk;
}

std::string last_line(const std::vector<SubjectRun>& runs) {
  const auto good = std::count_if(runs.begin(), runs.end(), [](const SubjectRun& run) {
    return run.tally.exit_code() == kExitOk;
  });
  return fmt::format("{} {} of {} subjects pass\n", word_of(worst(runs)), good, runs.size());
}

int run(RunOptions options) {
  if (options.subjects.empty()) options.subjects = {"reference"};
  const std::atomic<bool>& stop = catch_interrupts();
  std::vector<SubjectRun> runs;
  for (const std::string& name : options.subjects) {
    runs.push_back(run_one(options, name, stop));
    const Tally& tally = runs.back().tally;
    print(summary(runs.back().results));
    print(verdict_line(name, tally, {tally.witnessed.size(), false}) + "\n");
    if (stop.load()) break;
  }
  if (runs.size() > 1) print(last_line(runs));
  return worst(runs);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run the conformance cases and give a verdict");
  command->footer("Example: assay run --subject ./my_runtime.so --filter 'amp/*' --junit out.xml");
  auto options = std::make_shared<RunOptions>();
  command->add_option(
      "--subject", options->subjects,
      "reference, mutant:<fault>, a shared library, or a command line (repeatable)");
  add_selection(*command, options->selection);
  add_subject_options(*command, options->subject);
  command->add_flag("--shuffle", options->shuffled, "Run the cases in an order made from the seed");
  command->add_option("--seed", options->seed, "Seed of the order (0)");
  command->add_flag("-v,--verbose", options->verbose, "A line for every case");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace assay::cli
