// assay run: runs the conformance cases on one or more subjects and gives a verdict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <system_error>

#include "harness/cli/command_line/bare_words.hpp"
#include "harness/cli/command_line/run_options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/debug.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/parts.hpp"
#include "harness/run/support_files.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/redact.hpp"

namespace assay::cli {
namespace {

/// The worst exit code of several parts.
int worst(const std::vector<report::SubjectRecord>& records) {
  for (const int code : {kExitInterrupted, kExitInternal, kExitUsage, kExitFailure, kExitWaivers,
                         kExitNothingRan, kExitIncomplete, kExitOk}) {
    if (std::ranges::count(records, code, &report::SubjectRecord::exit_code) > 0) return code;
  }
  return kExitNothingRan;
}

/// True if recordings were named and none fitted any subject, so that nothing was compared.
bool lacks_recordings(const std::vector<RunPart>& parts,
                      const std::vector<report::SubjectRecord>& subjects) {
  const auto is_asked_for = [](const RunPart& part) { return part.recordings && !part.by_default; };
  const auto ran = [&](const RunPart& part) {
    return is_asked_for(part) &&
           std::ranges::find(subjects, part.label(), &report::SubjectRecord::subject) !=
               subjects.end();
  };
  return std::ranges::any_of(parts, is_asked_for) && std::ranges::none_of(parts, ran);
}

/// An absent device decides only if nothing else is wrong.
int exit_code_over(const std::vector<RunPart>& parts, const PartialResults& so_far) {
  const std::vector<report::SubjectRecord> subjects = so_far.records();
  const bool lacks_device = !so_far.absent().empty();
  if (subjects.empty() && lacks_device) return kExitAbsent;
  const int code = worst(subjects);
  const bool is_green = code == kExitOk || code == kExitIncomplete;
  if (is_green && lacks_recordings(parts, subjects)) return kExitNothingRan;
  return code == kExitOk && lacks_device ? kExitAbsent : code;
}

std::ptrdiff_t count_of(const report::RunRecord& run, std::string_view verdict) {
  return std::ranges::count(run.subjects, verdict, &report::SubjectRecord::verdict);
}

/// An allowed incomplete part leaves the exit code at 0, but the verdict's word names it.
std::string_view verdict_over(const report::RunRecord& run) {
  const std::string_view incomplete = verdict_of(kExitIncomplete);
  const bool is_partial = run.exit_code == kExitOk && count_of(run, incomplete) > 0;
  return is_partial ? incomplete : verdict_of(run.exit_code);
}

std::string line_over(const report::RunRecord& run, const std::vector<RunPart>& parts,
                      const std::vector<std::string>& absent) {
  if (parts.size() == 1 && run.subjects.size() == 1) return run.subjects.front().line;
  if (run.exit_code == kExitNothingRan && lacks_recordings(parts, run.subjects)) {
    return fmt::format("{}: no recording that --transcripts names fits a subject of this run",
                       run.verdict);
  }
  const bool has_recordings =
      std::ranges::any_of(parts, [](const RunPart& part) { return part.recordings.has_value(); });
  std::string line = fmt::format(
      "{}: {} of {} {} conform", run.verdict, count_of(run, verdict_of(kExitOk)),
      run.exit_code == kExitInterrupted ? parts.size() : run.subjects.size() + absent.size(),
      has_recordings ? "parts of the run" : "subjects");
  if (const auto partial = count_of(run, verdict_of(kExitIncomplete)); partial > 0) {
    line += fmt::format(", {} incomplete{}", partial,
                        run.exit_code == kExitOk ? ", as --partial allows" : "");
  }
  if (!absent.empty()) line += fmt::format("; no device for {}", fmt::join(absent, ", "));
  return line;
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

/// The record of a part whose subject cannot be used.
report::SubjectRecord unusable(const RunPart& part, const std::string& why) {
  report::SubjectRecord record;
  record.subject = part.label();
  record.exit_code = kExitUsage;
  record.verdict = verdict_of(kExitUsage);
  record.lost = why;
  record.line = fmt::format("{}: {}", record.verdict, one_line(why.substr(0, why.find('\n'))));
  return record;
}

/// A part whose device is absent is named in the verdict, if --allow-absent permits it. Otherwise
/// throws like `run_part` if nothing has been recorded yet. Later, a subject that cannot be used is
/// part of the record: without one, that of an earlier run would stay, and might be green.
void run_and_record(const RunContext& context, const RunPart& part, std::size_t number) {
  try {
    if (auto record = run_part(context, part, number)) {
      context.so_far.add(std::move(*record));
    } else {
      context.so_far.leave_out();
    }
  } catch (const DeviceAbsent& absent) {
    if (!absent.is_allowed()) throw;
    complain(fmt::format("assay: {}\n", absent.what()));
    context.so_far.add_absent(part.label());
  } catch (const UsageError& error) {
    context.so_far.leave_out();
    if (context.so_far.records().empty()) throw;
    const std::string why = redacted(error.what(), context.options.secrets);
    report::SubjectRecord record = unusable(part, why);
    complain(fmt::format("assay: {}\n", why));
    print(record.line + "\n");
    context.so_far.add(std::move(record));
  }
}

/// Runs each part until interrupted; false if some parts were not started.
bool run_parts(const RunContext& context, const std::vector<RunPart>& parts) {
  std::size_t number = 0;
  for (const RunPart& part : parts) {
    if (context.stop.is_set()) return false;
    run_and_record(context, part, ++number);
    if (context.options.loss && context.options.loss->where.part == number) return true;
  }
  return true;
}

/// If a part cannot start, the finished results stay in the journal.
bool run_or_leave(const RunContext& context, const std::vector<RunPart>& parts) {
  const auto leave = [&] {
    print(close_journal(context.journal, context.options.journal, kExitUsage));
  };
  try {
    return run_parts(context, parts);
  } catch (const UsageError&) {
    leave();
    throw;
  } catch (const std::system_error&) {  // no thread, no process, no file more is granted
    leave();
    throw;
  } catch (const std::bad_alloc&) {
    leave();
    throw;
  }
}

/// The part of the record that is known before anything runs.
report::RunRecord head_of(const RunOptions& options) {
  report::RunRecord record;
  for (const std::string& word : options.argv) {
    record.argv.push_back(redacted(word, options.secrets));
  }
  record.seed = options.seed.value_or(0);
  record.shuffled = options.shuffled;
  if (options.shard.count > 1) {
    record.shard = fmt::format("{}/{}", options.shard.index, options.shard.count);
  }
  record.started = report::now_utc();
  record.environment = report::this_environment();
  return record;
}

report::RunRecord whole_record(const report::RunRecord& head, const PartialResults& so_far,
                               const std::vector<RunPart>& parts, int exit_code) {
  report::RunRecord record = head;
  record.subjects = so_far.records();
  record.exit_code = exit_code;
  record.verdict = verdict_over(record);
  record.line = line_over(record, parts, so_far.absent());
  return record;
}

/// Asks the library for its name again, in a separate process.
void report_loss(RunOptions& options, const Loss& loss) {
  options.loss = loss;
  options.subject.isolate = true;
  options.journal.path.clear();
  options.journal.resume = loss.where.journal;
}

int run(RunOptions options) {
  if (!options.debug.empty()) {
    const std::string subject = options.subjects.empty() ? "reference" : options.subjects.front();
    return debug_case({options.debug, subject, options.selection, options.subject});
  }
  refuse_unmatched_filters(options.selection);
  for (std::string& filter : filters_of(options.words, options.selection.full)) {
    options.selection.filters.push_back(std::move(filter));
  }
  check(options);
  options.subject.support = read_support(options.support_files);
  complain(describe_unmatched_patterns(options.selection));
  const std::vector<Waiver> waivers = read_waivers(options.waiver_files);
  if (options.shuffled && !options.seed) options.seed = std::random_device{}();
  const StopSignal& stop = catch_interrupts();
  const report::RunRecord head = head_of(options);
  std::vector<std::string> remarks;
  const std::vector<RunPart> parts = parts_of(options, remarks);
  PartialResults so_far;
  SaveOnSignal last_resort(
      [&] { write_each(options, whole_record(head, so_far, parts, kExitInterrupted)); });
  options.journal.record = options.json;
  const std::unique_ptr<Journal> journal = open_journal(options.journal);
  print(damage_in(*journal));
  std::map<std::string, std::vector<Hello>> introduced;
  const RunContext context{options, waivers, stop, *journal, so_far, introduced, parts.size() == 1};
  const bool is_whole = run_or_leave(context, parts);
  const report::RunRecord record = whole_record(
      head, so_far, parts, is_whole ? exit_code_over(parts, so_far) : kExitInterrupted);
  end_if_disturbed();
  for (const std::string& remark : remarks) print("  " + remark + "\n");
  last_resort.begin();
  write_files(options, record, *journal);
  last_resort.done();
  if (on_github()) print_workflow_commands(report::to_annotations(record));
  print(close_journal(*journal, options.journal, record.exit_code));
  print(record.line + "\n");
  return record.exit_code;
}

}  // namespace

void add_run(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("run", "Run the conformance cases and give a verdict");
  command.footer(
      "Example: assay run --subject ./my_runtime.so amp/update_scale core --junit out.xml\n"
      "         assay run --subject \"python3 my_runtime.py\" -q --json after.json");
  auto options = std::make_shared<RunOptions>();
  options->argv = invocation.argv;
  add_run_options(command, *options);
  command.callback([options, &invocation] {
    hide_in_errors(options->secrets);
    if (invocation.loss) report_loss(*options, *invocation.loss);
    invocation.exit_code = run(*options);
  });
}

}  // namespace assay::cli
