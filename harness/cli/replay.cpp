// assay replay: a transcript against a subject, or one case with every word of it.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/nearest.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/replay_as_python.hpp"
#include "harness/cli/replay_transcript.hpp"
#include "harness/cli/reporter.hpp"
#include "harness/program/text_file.hpp"
#include "harness/protocol/json.hpp"
#include "harness/subject/time_limit.hpp"

namespace assay::cli {
namespace {

struct ReplayOptions {
  std::string what;
  std::string subject = "reference";
  Selection selection;
  SubjectOptions connection;
  bool allow_stale = false;
  std::string as;
};

Transcript read_transcript(const std::string& path) {
  try {
    return transcript_from_lines(read_text_file(path));
  } catch (const MalformedMessage& error) {
    throw UsageError(fmt::format("{} is not a transcript: {}", path, error.what()));
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

struct ReplayTally {
  std::array<std::size_t, 4> outcomes{};
  bool interrupted = false;

  std::size_t& of(EntryResult::Outcome outcome) {
    return outcomes[static_cast<std::size_t>(outcome)];
  }

  int exit_code(bool allow_stale) {
    if (interrupted) return kExitInterrupted;
    const bool stale = of(EntryResult::Outcome::kStale) > 0 && !allow_stale;
    if (of(EntryResult::Outcome::kDifferent) > 0 || stale) return kExitFailure;
    return of(EntryResult::Outcome::kSame) > 0 ? kExitOk : kExitNothingRan;
  }

  std::string line(std::size_t entries, const ReplayOptions& options) {
    return fmt::format(
        "{} {} of {} recorded cases answered alike by {}, {} otherwise, {} stale, "
        "{} not applicable\n",
        word_of(exit_code(options.allow_stale)), of(EntryResult::Outcome::kSame), entries,
        options.subject, of(EntryResult::Outcome::kDifferent), of(EntryResult::Outcome::kStale),
        of(EntryResult::Outcome::kNotApplicable));
  }
};

/// Nothing when the user did not want to wait for it.
std::optional<EntryResult> replay_unless_interrupted(const Transcript& transcript,
                                                     const TranscriptEntry& entry,
                                                     ConnectedSubject& subject) {
  try {
    return replay_entry(transcript, entry, subject);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

int replay_transcript(const ReplayOptions& options) {
  const Transcript transcript = read_transcript(options.what);
  ConnectedSubject subject = connect(options.subject, options.connection);
  const StopSignal& stop = catch_interrupts();
  end_early_on(*subject.link, &stop);
  ReplayTally tally;
  Progress progress;
  for (const TranscriptEntry& entry : transcript.entries) {
    if (stop.is_set()) break;
    progress.show(entry.case_id);
    const std::optional<EntryResult> replayed =
        replay_unless_interrupted(transcript, entry, subject);
    if (!replayed) break;
    const EntryResult& result = *replayed;
    ++tally.of(result.outcome);
    if (result.finding.empty()) continue;
    progress.clear();
    print((result.outcome == EntryResult::Outcome::kStale ? "stale  " : "DIFF   ") +
          result.finding);
  }
  progress.clear();
  tally.interrupted = stop.is_set();
  print(tally.line(transcript.entries.size(), options));
  return tally.exit_code(options.allow_stale);
}

void print_conversation(const CaseResult& result) {
  print(fmt::format("{} under {}\n", result.test->id, to_text(result.contract)));
  for (const Exchange& exchange : result.history) {
    print("> " + to_json(exchange.command) + "\n< " + to_json(exchange.reply) + "\n");
  }
}

int replay_case(const ReplayOptions& options) {
  ConnectedSubject subject = connect(options.subject, options.connection);
  ConductOptions conduct_options;
  conduct_options.selection = options.selection;
  conduct_options.selection.full = true;
  conduct_options.selection.filters = {options.what};
  conduct_options.pool.runner.keep_history = true;
  conduct_options.pool.stop = &catch_interrupts();
  Reporter reporter(options.subject, false);
  reporter.attach(conduct_options);
  const auto show_card = conduct_options.pool.on_result;
  conduct_options.pool.on_result = [&](const CaseResult& result) {
    print_conversation(result);
    show_card(result);
  };
  const SubjectRun run = conduct(subject, std::move(conduct_options));
  print(verdict_line(options.subject, run.tally, count_clauses(run.tally, run.info, false)) + "\n");
  return run.tally.exit_code();
}

int replay(const ReplayOptions& options) {
  if (std::filesystem::is_regular_file(options.what)) {
    if (!options.as.empty()) throw UsageError("--as python takes the id of a case");
    return replay_transcript(options);
  }
  std::vector<std::string> ids;
  for (const Case& test : all_cases()) {
    if (test.id == options.what && options.as == "python") {
      return print_as_python(test.id, options.subject, options.connection, options.selection);
    }
    if (test.id == options.what) return replay_case(options);
    ids.push_back(test.id);
  }
  throw UsageError(fmt::format("'{}' is neither a transcript nor a case{}", options.what,
                               suggestion(options.what, ids)));
}

}  // namespace

void add_replay(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("replay", "Repeat a transcript or one case against a subject");
  command->footer(
      "Example: assay replay amp/unscale/raises_the_flag --subject \"python3 it.py\"\n"
      "         assay replay amp/update_scale/refuses_growth_to_either_infinity_and_to_nan --as "
      "python > case.py");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("what", options->what, "A transcript, or the id of a case")->required();
  command->add_option("--subject", options->subject, "As for assay run (reference)");
  command->add_flag("--allow-stale", options->allow_stale,
                    "Entries whose case has changed do not spoil the verdict");
  command
      ->add_option("--as", options->as,
                   "python: print the case as a script for PyTorch alone, which expects what the "
                   "subject replied")
      ->check(CLI::IsMember({"python"}));
  add_own_cases_option(*command);
  add_contract(*command, options->selection);
  add_subject_options(*command, options->connection);
  command->callback([options, &invocation] { invocation.exit_code = replay(*options); });
}

}  // namespace assay::cli
