// assay replay: repeats a transcript on a subject, or shows one case with all its messages.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/replay_as_python.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/perturb/perturb.hpp"
#include "harness/protocol/json.hpp"
#include "harness/recorded/recorded_cases.hpp"
#include "harness/recorded/transcripts.hpp"
#include "harness/run/reporter.hpp"
#include "harness/suite/card/card.hpp"

namespace assay::cli {
namespace {

struct ReplayOptions {
  std::string what;
  std::string subject = "reference";
  Selection selection;
  SubjectOptions connection;
  bool allow_stale = false;
  std::string as;
  std::string expect = "recording";
  bool perturbed = false;
  ReportStyle style;
};

std::string line_of(const SubjectRun& run, const RecordedCases& recorded, int exit_code) {
  const Tally& tally = run.tally;
  const std::size_t alike = tally.of(Outcome::kPass);
  return fmt::format(
      "{} {} matches {} of {} recorded cases, {} differ, {} unsupported, {} stale, "
      "{} not applicable\n",
      word_of(exit_code), run.subject, alike, recorded.cases.size() + recorded.stale.size(),
      tally.ran() - alike - tally.of(Outcome::kUnsupported), tally.of(Outcome::kUnsupported),
      recorded.stale.size(), tally.not_applicable);
}

int replay_transcript(const ReplayOptions& options) {
  const RecordedCases recorded = recorded_cases({options.what}, options.selection);
  ConnectedSubject subject = connect(options.subject, options.connection);
  RunSubjectOptions run_options;
  run_options.selection = options.selection;
  narrow_to_recorded(run_options.selection, recorded.cases);
  run_options.cases = &recorded.cases;
  run_options.pool.stop = &catch_interrupts();
  Reporter reporter(options.subject, options.style);
  reporter.attach(run_options);
  const SubjectRun run = run_subject(subject, std::move(run_options));
  for (const std::string& stale : recorded.stale)
    print("stale  " + wrapped(stale, 2, columns_of_terminal(), 6));
  int exit_code = run.tally.exit_code();
  const bool is_clean = exit_code == kExitOk || exit_code == kExitNothingRan;
  if (is_clean && !recorded.stale.empty() && !options.allow_stale) {
    exit_code = kExitFailure;
  }
  print(line_of(run, recorded, exit_code));
  return exit_code;
}

void print_conversation(const CaseResult& result) {
  print(fmt::format("{} under {}\n", result.test->id, to_text(result.contract)));
  for (const Exchange& exchange : result.history) {
    print("> " + to_json(exchange.command) + "\n< " + to_json(exchange.reply) + "\n");
  }
}

int replay_case(const ReplayOptions& options) {
  ConnectedSubject subject = connect(options.subject, options.connection);
  RunSubjectOptions run_options;
  run_options.selection = options.selection;
  run_options.selection.full = true;
  run_options.selection.filters = {options.what};
  run_options.pool.runner.keep_history = true;
  if (options.perturbed) run_options.pool.runner.afterwards = perturb;
  run_options.pool.stop = &catch_interrupts();
  Reporter reporter(options.subject, options.style);
  reporter.attach(run_options);
  const auto show_card = run_options.pool.on_result;
  run_options.pool.on_result = [&](const CaseResult& result) {
    print_conversation(result);
    show_card(result);
  };
  const SubjectRun run = run_subject(subject, std::move(run_options));
  print(verdict_line(options.subject, run.tally, count_clauses(run.tally, run.info, false)) + "\n");
  return run.tally.exit_code();
}

int replay(const ReplayOptions& options) {
  if (is_transcript(options.what)) {
    if (!options.as.empty()) throw UsageError("--as python takes the id of a case");
    return replay_transcript(options);
  }
  std::vector<std::string> ids;
  for (const Case& test : all_cases()) {
    if (test.id == options.what && options.as == "python") {
      const Expect expect = options.expect == "subject" ? Expect::kSubject : Expect::kRecording;
      return print_as_python(
          {test.id, options.subject, options.connection, options.selection, expect});
    }
    if (test.id == options.what) return replay_case(options);
    ids.push_back(test.id);
  }
  for (const RecordingSet& set : recordings_in_program()) {
    ids.insert(ids.end(), set.files.begin(), set.files.end());
  }
  throw UsageError(fmt::format(
      "'{}' is neither a transcript nor a case{}\n  `assay list transcripts` and `assay list` show "
      "them",
      options.what, suggestion(options.what, ids)));
}

}  // namespace

void add_replay(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("replay", "Repeat a transcript or one case on a subject");
  command.footer(
      "Example: assay replay amp/update_scale/counts_in_integers --subject \"python3 it.py\"\n"
      "         assay replay 2.11.0-cpu/amp --subject ./my_runtime.so\n"
      "         assay replay amp/update_scale/refuses_growth_to_either_infinity_and_to_nan --as "
      "python > case.py");
  auto options = std::make_shared<ReplayOptions>();
  command
      .add_option(
          "name", options->what,
          "A transcript (a file, or one that `assay list transcripts` names), or the id of a "
          "case")
      .required();
  command.add_option("--subject", options->subject, "The subject, as for `assay run` (reference)");
  command.add_option("--filter", options->selection.filters,
                     "Of a transcript, only cases whose id or clause matches (repeatable)");
  command
      .add_option("--cards", options->style.cards,
                  "Show this many failures of a transcript in full, the others in a line each (5)")
      .check(in_range(0, 1'000'000));
  command.add_flag("--allow-stale", options->allow_stale,
                   "Ignore stale entries, whose case has changed since, in the verdict");
  command
      .add_option("--as", options->as,
                  "python: print the case as a Python script that needs only PyTorch, with the "
                  "replies that it expects")
      .check(one_of({"python"}));
  command
      .add_option(
          "--expect", options->expect,
          "With --as python, the replies to expect (recording). recording: those recorded "
          "from real PyTorch, or the subject's if no recording has the case; subject: those "
          "of the subject now")
      .check(one_of({"recording", "subject"}));
  command.add_flag("--perturb", options->perturbed,
                   "Of a case: send its program again with changes, as run --perturb does");
  add_own_cases_option(command);
  add_contract(command, options->selection);
  add_subject_options(command, options->connection);
  command.callback([options, &invocation] { invocation.exit_code = replay(*options); });
}

}  // namespace assay::cli
