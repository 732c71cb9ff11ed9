// assay run: the conformance cases on one or more subjects, and the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/debug.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/reporter.hpp"
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
};

SubjectRun run_one(const RunOptions& options, const std::string& name,
                   const std::atomic<bool>& stop) {
  ConnectedSubject subject = connect(name, options.subject);
  ConductOptions conduct_options;
  conduct_options.selection = options.selection;
  if (options.shuffled) conduct_options.shuffle_seed = options.seed;
  conduct_options.runner.stop = &stop;
  conduct_options.waivers = options.waivers;
  conduct_options.strict_waivers = options.strict_waivers;
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

report::SubjectRecord run_and_show(const RunOptions& options, const std::string& name,
                                   const std::atomic<bool>& stop) {
  const SubjectRun done = run_one(options, name, stop);
  const bool whole_run = !options.selection.narrows_cases() && !done.tally.interrupted;
  const ClauseCount clauses = count_clauses(done.tally, done.info, whole_run);
  const std::string line = verdict_line(name, done.tally, clauses);
  for (const std::string& finding : done.waiver_findings) print("  " + finding + "\n");
  print(summary(done.results));
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
  for (const std::string& name : options.subjects) {
    if (!stop.load()) record.subjects.push_back(run_and_show(options, name, stop));
  }
  record.exit_code = worst(record.subjects);
  record.verdict = word_of(record.exit_code);
  record.line = line_over(record);
  write_files(options, record);
  if (on_github()) print(report::to_annotations(record));
  print(record.line + "\n");
  return record.exit_code;
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("run", "Run the conformance cases and give a verdict");
  command->footer("Example: assay run --subject ./my_runtime.so --filter 'amp/*' --junit out.xml");
  auto options = std::make_shared<RunOptions>();
  options->argv = invocation.argv;
  command->add_option(
      "--subject", options->subjects,
      "reference, mutant:<fault>, a shared library, or a command line (repeatable)");
  add_selection(*command, options->selection);
  add_subject_options(*command, options->subject);
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
