// assay record: runs the cases on a subject and writes a transcript.
#include "harness/report/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <memory>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/program/text_file.hpp"
#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/recorded/recorded_cases.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/reporter.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

struct RecordOptions {
  std::vector<std::string> argv;
  std::string subject = "reference";
  std::string output;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
  Selection selection;
  SubjectOptions connection;
  int jobs = 1;
};

TranscriptHeader header_of(const SubjectRun& run, const RecordOptions& options) {
  TranscriptHeader header;
  header.subject = run.subject;
  header.name = run.info.name;
  header.version = run.info.version;
  for (const Device& device : run.info.devices) header.devices.push_back(to_text(device));
  header.areas = run.info.areas;
  header.date = report::now_utc();
  header.command = fmt::format("{}", fmt::join(options.argv, " "));
  return header;
}

/// The total number of characters of commands and replies.
std::size_t size_of(const TranscriptEntry& entry) {
  std::size_t size = 0;
  for (const auto& [command, reply] : entry.exchanges) {
    size += to_json(command).size() + to_json(reply).size();
  }
  return size;
}

/// Unsupported cases say nothing about the subject and are left out.
Transcript transcript_of(const SubjectRun& run, const RecordOptions& options) {
  Transcript transcript{header_of(run, options), {}};
  for (const CaseResult& result : run.results) {
    if (result.outcome == Outcome::kUnsupported) continue;
    TranscriptEntry entry{
        result.test->id, result.contract, std::string(name_of(result.outcome)), {}};
    for (const Exchange& exchange : result.history) {
      entry.exchanges.emplace_back(exchange.command, exchange.reply);
    }
    if (size_of(entry) <= options.largest) transcript.entries.push_back(std::move(entry));
  }
  return transcript;
}

Transcript repeatable(Transcript transcript) {
  const std::size_t left_out = std::erase_if(transcript.entries, [&](const auto& entry) {
    return !is_repeatable(transcript.header, entry);
  });
  if (left_out > 0) {
    print(fmt::format("  {} cases left out: their replies depend on the clock\n", left_out));
  }
  return transcript;
}

SubjectRun run_keeping_history(const RecordOptions& options) {
  ConnectedSubject subject = connect_for_jobs(options.subject, options.connection, options.jobs);
  RunSubjectOptions run_options;
  run_options.selection = options.selection;
  run_options.pool.jobs = options.jobs;
  run_options.pool.stop = &catch_interrupts();
  run_options.pool.runner.keep_history = true;
  Progress progress;
  run_options.pool.on_start = [&](const Task& task) { progress.show(task.test->id); };
  return run_subject(subject, std::move(run_options));
}

std::string lines_of(const Transcript& transcript) {
  return data_without_ci_commands(to_lines(transcript));
}

/// Writes the finished cases of a recording that ended early beside its output; returns a sentence
/// about them.
std::string keep_partial(const Transcript& transcript, const RecordOptions& options) {
  if (transcript.entries.empty()) return "no case was finished";
  const std::string path = options.output + ".partial";
  report::write_whole(path, packed_for(options.output, lines_of(transcript)));
  return fmt::format("{} finished cases are in {}", transcript.entries.size(), path);
}

int record(const RecordOptions& options) {
  refuse_unmatched_filters(options.selection);
  complain(describe_unmatched_patterns(options.selection));
  report::refuse_unwritable(options.output);
  const SubjectRun run = run_keeping_history(options);
  const Transcript transcript = repeatable(transcript_of(run, options));
  if (!run.tally.lost.empty()) {
    print(fmt::format("  {}\n", keep_partial(transcript, options)));
    throw SubjectLost(run.tally.lost, run.last_words);
  }
  if (run.tally.interrupted) {
    print(fmt::format("INTERRUPTED {}\n", keep_partial(transcript, options)));
    return kExitInterrupted;
  }
  if (transcript.entries.empty()) {
    print("NOTHING RAN nothing was written\n");
    return kExitNothingRan;
  }
  report::write_whole(options.output, packed_for(options.output, lines_of(transcript)));
  print(summary(run.results));
  print(fmt::format("PASS recorded {} cases of {} in {}\n", transcript.entries.size(),
                    options.subject, options.output));
  return kExitOk;
}

}  // namespace

void add_record(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("record", "Run the cases on a subject and write a transcript");
  command.footer(
      "If the run is interrupted, or the subject is lost, the finished cases are in FILE.partial.\n"
      "Example: assay record --subject \"python3 it.py\" -o it.jsonl --filter 'amp/*'");
  auto options = std::make_shared<RecordOptions>();
  options->argv = invocation.argv;
  command.add_option("--subject", options->subject, "The subject, as for `assay run` (reference)");
  command
      .add_option("-o,--output", options->output,
                  "The transcript, JSON lines; compressed if it ends in .gz")
      .required();
  command.add_option(
      "--largest", options->largest,
      "Leave out cases whose commands and replies are longer than this many characters");
  add_jobs(command, options->jobs);
  add_selection(command, options->selection);
  add_subject_options(command, options->connection);
  command.callback([options, &invocation] { invocation.exit_code = record(*options); });
}

}  // namespace assay::cli
