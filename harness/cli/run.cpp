// assay run: runs the conformance cases on one or more subjects and gives a verdict.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <system_error>

#include "harness/cli/bench/bench_record.hpp"
#include "harness/cli/command_line/bare_words.hpp"
#include "harness/cli/command_line/run_options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/debug.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/overall.hpp"
#include "harness/run/parts.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

void write_files(const RunOptions& options, const report::RunRecord& run, const Journal& journal) {
  try {
    write_record(options.files, run);
  } catch (const report::CannotWrite& error) {
    throw report::CannotWrite(fmt::format(
        "{}\n  the results are in the journal: the same command with --resume {} writes them",
        error.what(), journal.path()));
  }
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

/// What --shard auto found.
std::string shard_in_words(const RunOptions& options) {
  if (options.style.quiet || options.shard_from.empty()) return "";
  return fmt::format("shard {}, as {} says\n", to_text(options.shard), options.shard_from);
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
    record.shard = to_text(options.shard);
  }
  record.shard_from = options.shard_from;
  record.started = report::now_utc();
  record.environment = report::this_environment();
  record.environment.devices = devices_here();
  return record;
}

report::RunRecord whole_record(const report::RunRecord& head, const PartialResults& so_far,
                               const std::vector<RunPart>& parts, bool is_whole) {
  report::RunRecord record = head;
  record.subjects = so_far.records();
  const std::vector<std::string> absent = so_far.absent();
  for (const RunPart& part : parts) {
    const std::string label = part.label();
    record.parts.push_back({label, part.recordings.has_value(), part.by_default,
                            std::ranges::find(absent, label) != absent.end()});
  }
  judge_parts(record, is_whole);
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
      [&] { write_record(options.files, whole_record(head, so_far, parts, false)); });
  options.journal.record = options.files.json;
  const std::unique_ptr<Journal> journal = open_journal(options.journal);
  print(shard_in_words(options));
  if (!options.style.quiet) print(continued_in_words(*journal, options.journal));
  print(damage_in(*journal));
  std::map<std::string, std::vector<Hello>> introduced;
  const RunContext context{options, waivers, stop, *journal, so_far, introduced, parts.size() == 1};
  const bool is_whole = run_or_leave(context, parts);
  const report::RunRecord record = whole_record(head, so_far, parts, is_whole);
  end_if_disturbed();
  if (!journal->set_aside().empty()) remarks.push_back(one_line(journal->set_aside()));
  for (const std::string& remark : remarks) print("  " + remark + "\n");
  last_resort.begin();
  write_files(options, record, *journal);
  last_resort.done();
  annotate(record);
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
