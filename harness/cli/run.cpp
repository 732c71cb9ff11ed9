// assay run: the conformance cases on one or more subjects, and the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "harness/cli/commands.hpp"
#include "harness/cli/debug.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/reporter.hpp"
#include "harness/cli/run_key.hpp"
#include "harness/cli/run_options.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/waiver_files.hpp"
#include "harness/report/write_whole.hpp"

namespace assay::cli {
namespace {

/// What all subjects of a run have in common.
struct RunContext {
  const RunOptions& options;
  const std::vector<Waiver>& waivers;
  const StopSignal& stop;
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
  conduct_options.waivers = context.waivers;
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

/// Of several subjects the worst counts; one that was not begun was interrupted.
int worst(const std::vector<report::SubjectRecord>& subjects, std::size_t wanted) {
  if (subjects.size() < wanted) return kExitInterrupted;
  for (const int code :
       {kExitInterrupted, kExitInternal, kExitFailure, kExitWaivers, kExitNothingRan}) {
    const bool any = std::any_of(subjects.begin(), subjects.end(),
                                 [&](const auto& subject) { return subject.exit_code == code; });
    if (any) return code;
  }
  return kExitOk;
}

std::string line_over(const report::RunRecord& run, std::size_t wanted) {
  if (wanted == 1 && run.subjects.size() == 1) return run.subjects.front().line;
  const auto good = std::count_if(run.subjects.begin(), run.subjects.end(),
                                  [](const auto& one) { return one.exit_code == kExitOk; });
  return fmt::format("{} {} of {} subjects pass", run.verdict, good, wanted);
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

void write_each(const RunOptions& options, const report::RunRecord& run) {
  if (!options.json.empty()) report::write_whole(options.json, report::to_json(run));
  if (!options.junit.empty()) report::write_whole(options.junit, report::to_junit(run));
  if (!options.markdown.empty()) report::write_whole(options.markdown, report::to_markdown(run));
}

void write_files(const RunOptions& options, const report::RunRecord& run, const Journal& journal) {
  try {
    write_each(options, run);
  } catch (const report::CannotWrite& error) {
    throw report::CannotWrite(fmt::format(
        "{}\n  the results are in the journal: the same command with --resume {} writes them",
        error.what(), journal.path()));
  }
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
  check(options);
  const std::vector<Waiver> waivers = read_waivers(options.waiver_files);
  if (options.shuffled && !options.seed) options.seed = std::random_device{}();
  const StopSignal& stop = catch_interrupts();
  report::RunRecord record;
  record.argv = options.argv;
  record.seed = options.seed.value_or(0);
  record.shuffled = options.shuffled;
  record.started = report::now_utc();
  record.environment = report::this_environment();
  options.journal.record = options.json;
  const std::unique_ptr<Journal> journal = open_journal(options.journal);
  print(damage_in(*journal));
  const RunContext context{options, waivers, stop, *journal};
  for (const std::string& name : options.subjects) {
    if (stop.is_set()) break;
    record.subjects.push_back(run_and_show(context, name, record.subjects.size() + 1));
  }
  record.exit_code = worst(record.subjects, options.subjects.size());
  record.verdict = word_of(record.exit_code);
  record.line = line_over(record, options.subjects.size());
  write_files(options, record, *journal);
  if (on_github()) print(report::to_annotations(record));
  const bool is_complete =
      record.exit_code != kExitInterrupted && record.exit_code != kExitInternal;
  print(close_journal(*journal, options.journal, is_complete));
  print(record.line + "\n");
  return record.exit_code;
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("run", "Run the conformance cases and give a verdict");
  command->footer("Example: assay run --subject ./my_runtime.so --filter 'amp/*' --junit out.xml");
  auto options = std::make_shared<RunOptions>();
  options->argv = invocation.argv;
  add_run_options(*command, *options);
  command->callback([options, &invocation] { invocation.exit_code = run(*options); });
}

}  // namespace assay::cli
