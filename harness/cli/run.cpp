// assay run: the conformance cases on one or more subjects, and the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/debug.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/reporter.hpp"
#include "harness/cli/run_journal.hpp"
#include "harness/cli/run_key.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/waiver_files.hpp"
#include "harness/report/write_whole.hpp"

namespace assay::cli {
namespace {

struct RunOptions {
  std::vector<std::string> argv;
  std::vector<std::string> subjects;
  Selection selection;
  SubjectOptions subject;
  std::uint64_t seed = 0;
  bool shuffled = false;
  bool verbose = false;
  std::string json, junit, markdown;
  std::vector<std::string> waiver_files;
  std::vector<Waiver> waivers;
  bool strict_waivers = false;
  std::string debug;
  Shard shard;
  int jobs = 1;
  Attempts attempts;
  bool fail_fast = false;
  JournalOptions journal;
};

/// What all subjects of a run have in common.
struct RunContext {
  const RunOptions& options;
  const std::atomic<bool>& stop;
  Journal& journal;
};

ConnectedSubject connect_for(const RunOptions& options, const std::string& name) {
  SubjectOptions wanted = options.subject;
  if (options.jobs > 1 && !wanted.isolate) wanted.isolate = true;
  ConnectedSubject subject = connect(name, wanted);
  if (options.jobs == 1 || subject.open) return subject;
  throw UsageError(
      fmt::format("-j {} needs as many subjects '{}', and --no-isolate leaves room for "
                  "one in this process",
                  options.jobs, name));
}

SubjectRun run_one(const RunContext& context, const std::string& name, std::size_t part) {
  const RunOptions& options = context.options;
  ConnectedSubject subject = connect_for(options, name);
  ConductOptions conduct_options;
  conduct_options.selection = options.selection;
  conduct_options.shard = options.shard;
  if (options.shuffled) conduct_options.shuffle_seed = options.seed;
  conduct_options.waivers = options.waivers;
  conduct_options.strict_waivers = options.strict_waivers;
  conduct_options.pool.jobs = options.jobs;
  conduct_options.pool.attempts = options.attempts;
  conduct_options.pool.fail_fast = options.fail_fast;
  conduct_options.pool.stop = &context.stop;
  conduct_options.journal = &context.journal;
  conduct_options.part = part;
  conduct_options.key = key_of(conduct_options, options.subject);
  Reporter reporter(name, options.verbose);
  reporter.attach(conduct_options);
  return conduct(subject, std::move(conduct_options));
}

/// Of several subjects the worst counts.
int worst(const std::vector<report::SubjectRecord>& subjects) {
  for (const int code :
       {kExitInterrupted, kExitInternal, kExitFailure, kExitWaivers, kExitNothingRan}) {
    const bool any = std::any_of(subjects.begin(), subjects.end(),
                                 [&](const auto& subject) { return subject.exit_code == code; });
    if (any) return code;
  }
  return kExitOk;
}

std::string line_over(const report::RunRecord& run) {
  if (run.subjects.size() == 1) return run.subjects.front().line;
  const auto good = std::count_if(run.subjects.begin(), run.subjects.end(),
                                  [](const auto& one) { return one.exit_code == kExitOk; });
  return fmt::format("{} {} of {} subjects pass", run.verdict, good, run.subjects.size());
}

report::SubjectRecord run_and_show(const RunContext& context, const std::string& name,
                                   std::size_t part) {
  const RunOptions& options = context.options;
  const SubjectRun done = run_one(context, name, part);
  const bool whole_run = !options.selection.narrows_cases() && options.shard.count == 1 &&
                         done.tally.ran() == done.tally.planned;
  const ClauseCount clauses = count_clauses(done.tally, done.info, whole_run);
  const std::string line = verdict_line(name, done.tally, clauses);
  for (const std::string& finding : done.waiver_findings) print("  " + finding + "\n");
  print(summary(done.results) + last_words(done));
  // A single subject's line is the last of all, behind the files.
  if (options.subjects.size() > 1) print(line + "\n");
  return record_of(done, clauses, line);
}

void write_files(const RunOptions& options, const report::RunRecord& run) {
  if (!options.json.empty()) report::write_whole(options.json, report::to_json(run));
  if (!options.junit.empty()) report::write_whole(options.junit, report::to_junit(run));
  if (!options.markdown.empty()) report::write_whole(options.markdown, report::to_markdown(run));
}

bool on_github() {
  const char* there = std::getenv("GITHUB_ACTIONS");
  return there != nullptr && std::string_view(there) == "true";
}

int run(RunOptions options) {
  if (options.subjects.empty()) options.subjects = {"reference"};
  if (!options.debug.empty()) {
    return debug_case(
        {options.debug, options.subjects.front(), options.selection, options.subject});
  }
  options.waivers = read_waivers(options.waiver_files);
  const std::atomic<bool>& stop = catch_interrupts();
  report::RunRecord record;
  record.argv = options.argv;
  record.seed = options.seed;
  record.shuffled = options.shuffled;
  record.started = report::now_utc();
  record.environment = report::this_environment();
  options.journal.record = options.json;
  const std::unique_ptr<Journal> journal = open_journal(options.journal);
  const RunContext context{options, stop, *journal};
  for (const std::string& name : options.subjects) {
    if (stop.load()) break;
    record.subjects.push_back(run_and_show(context, name, record.subjects.size() + 1));
  }
  record.exit_code = worst(record.subjects);
  record.verdict = word_of(record.exit_code);
  record.line = line_over(record);
  write_files(options, record);
  if (on_github()) print(report::to_annotations(record));
  const bool is_complete =
      record.exit_code != kExitInterrupted && record.exit_code != kExitInternal;
  print(close_journal(*journal, options.journal, is_complete));
  print(record.line + "\n");
  return record.exit_code;
}

void add_pace(CLI::App& command, RunOptions& options) {
  command
      .add_option("-j,--jobs", options.jobs, "So many cases at a time, each in its own subject (1)")
      ->check(CLI::Range(1, 256));
  command
      .add_option_function<std::string>(
          "--shard", [&](const std::string& text) { options.shard = *shard_from_text(text); },
          "i/n: the i-th of n parts of the run, equal in number of cases")
      ->check([](const std::string& text) {
        return shard_from_text(text) ? "" : "expected i/n, with i from 1 to n, got " + text;
      });
  command.add_option("--repeat", options.attempts.repeat, "Every case so many times (1)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--rerun", options.attempts.rerun,
                  "A case that does not pass up to so many times more; one that passes then is "
                  "flaky, which is no pass (0)")
      ->check(CLI::Range(0, 1'000'000));
  command.add_flag("--fail-fast", options.fail_fast, "Begin no case after one that fails");
}

void add_journal(CLI::App& command, JournalOptions& options) {
  CLI::Option* journal = command.add_option(
      "--journal", options.path,
      "Write finished cases to this file while running (beside that of --json, else in the folder "
      "for temporary files; removed at the end unless named here)");
  command
      .add_option("--resume", options.resume,
                  "Go on where the run that wrote this journal was stopped; the options must be "
                  "the same")
      ->excludes(journal);
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("run", "Run the conformance cases and give a verdict");
  command->footer("Example: assay run --subject ./my_runtime.so --filter 'amp/*' --junit out.xml");
  auto options = std::make_shared<RunOptions>();
  options->argv = invocation.argv;
  command->add_option("--subject", options->subjects,
                      "reference, mutant:<fault>, torch (\"torch --device cuda\"), a shared "
                      "library, or a command line (repeatable)");
  add_selection(*command, options->selection);
  add_subject_options(*command, options->subject);
  add_pace(*command, *options);
  add_journal(*command, options->journal);
  command->add_flag("--shuffle", options->shuffled, "Run the cases in an order made from the seed");
  command->add_option("--seed", options->seed, "Seed of the order (0)");
  command->add_option("--json", options->json, "Write the record of the run to this file");
  command->add_option("--junit", options->junit, "Write JUnit XML to this file");
  command->add_option("--markdown", options->markdown, "Write a summary page to this file");
  command->add_option("--waivers", options->waiver_files,
                      "Failures that are known, as suites/waivers/README.md says (repeatable)");
  command->add_flag("--strict-waivers", options->strict_waivers,
                    "Exit with 6 when a waiver has expired, is unused or is not needed");
  command->add_option(
      "--debug", options->debug,
      "This case alone, in the foreground: waits for a debugger, shows each command "
      "before it is sent, stops where the case fails");
  command->add_flag("-v,--verbose", options->verbose, "A line for every case");
  command->callback([options, &invocation] { invocation.exit_code = run(*options); });
}

}  // namespace assay::cli
