// assay bench: what calls cost, measured in fresh processes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "harness/bench/contenders.hpp"
#include "harness/bench/counting.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/resume.hpp"
#include "harness/bench/session.hpp"
#include "harness/bench/steps.hpp"
#include "harness/cli/bench_record.hpp"
#include "harness/cli/commands.hpp"
#include "harness/compare/share.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct BenchCommand {
  bench::ContenderWishes wishes;
  std::vector<std::string> words;
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  std::vector<std::string> axes;
  int processes = 0;  ///< 0: not said; so are the next two
  int samples = 0;
  double min_time_ms = 0;
  double precision = 0;
  std::uint64_t seed = 1;
  bool quick = false;
  bool count = false;
  bool steps = false;
  bool list = false;
  bool goes_on = false;  ///< with what is left at `output`
  std::string output;
  std::string machine;
  std::string worker;
};

int processes_of(const BenchCommand& command) {
  if (command.count || command.steps) return bench::counts_for(command.processes, command.quick);
  if (command.processes == 0) return command.quick ? 2 : 12;
  if (command.quick || command.processes >= bench::kFewestProcesses) return command.processes;
  throw UsageError(fmt::format(
      "--processes {}: numbers that will be compared need at least {}; --quick makes do with "
      "fewer, and the record says so",
      command.processes, bench::kFewestProcesses));
}

measure::TimingOptions timing_of(const BenchCommand& command) {
  measure::TimingOptions timing;
  const bool is_timed = command.samples > 0 || command.min_time_ms > 0 || command.precision > 0;
  if (command.steps && is_timed)
    throw UsageError("--steps counts: --samples, --min-time and --precision are for times");
  if (command.count || command.steps) {
    bench::refuse_timing(is_timed);
    return {1, std::chrono::nanoseconds(0)};
  }
  if (command.quick) timing = {5, std::chrono::microseconds(200)};
  if (command.samples > 0) timing.samples = command.samples;
  if (command.min_time_ms > 0) {
    timing.min_time = std::chrono::nanoseconds(std::llround(command.min_time_ms * 1e6));
  }
  return timing;
}

std::vector<bench::AxisChoice> choices_of(const BenchCommand& command) {
  std::vector<bench::AxisChoice> choices;
  try {
    for (const std::string& typed : command.axes) {
      choices.push_back(bench::parse_axis_choice(typed));
    }
    bench::refuse_unknown_axes(choices);
  } catch (const bench::WrongAxis& wrong) {
    throw UsageError(fmt::format("--axis: {}", wrong.what()));
  }
  return choices;
}

std::vector<measure::TimedCase> cases_of(const BenchCommand& command) {
  const std::vector<bench::AxisChoice> axes = choices_of(command);
  for (const std::string& filter : command.filters) {
    if (!bench::select_cases({filter}, {}, axes).empty()) continue;
    throw UsageError(
        fmt::format("--filter '{}' matches no case{}{}; `assay bench --list` names them", filter,
                    axes.empty() ? "" : " with the chosen axes", bench::nearest_cases(filter)));
  }
  std::vector<std::string> filters = command.filters;
  for (const std::string& word : command.words) filters.push_back(bench::filter_of(word, axes));
  return bench::select_cases(filters, command.excludes, axes);
}

void show(Progress& progress, const bench::Step& step) {
  const std::string left = step.left ? fmt::format(", {} s left", step.left->count()) : "";
  progress.show(fmt::format("[{}/{}{}] {}", step.done, step.planned, left, step.what));
}

/// Steps are few, and belong together.
void refuse_what_does_not_go_together(const BenchCommand& command) {
  const bool chosen = !command.words.empty() || !command.filters.empty() ||
                      !command.excludes.empty() || !command.axes.empty();
  if (command.steps && (chosen || command.count))
    throw UsageError(
        "--steps counts all steps: leave names, --filter, --exclude, --axis and --count out");
  if (command.goes_on && (command.steps || command.count))
    throw UsageError("--resume goes on with times: counts are made anew");
}

/// The record is then one of the bench that goes on: when it began, where, and by which command.
bench::Measured what_is_left(const report::BenchRecord& left, report::BenchRecord& head,
                             const bench::Plan& plan) {
  bench::Measured measured = bench::resumed(left, head, plan);
  head.meta = left.meta;
  head.environment = left.environment;
  return measured;
}

int measure_all(const BenchCommand& command, const std::vector<std::string>& argv) {
  const auto begin = std::chrono::steady_clock::now();
  Progress progress;
  bench::Plan plan;
  refuse_what_does_not_go_together(command);
  plan.processes = processes_of(command);
  plan.timing = timing_of(command);
  plan.precision = command.precision;
  if (!command.steps) plan.cases = cases_of(command);
  plan.seed = command.seed;
  report::refuse_unwritable(command.output);
  const BenchOutput output(command.output);
  if (!command.goes_on) output.refuse_what_is_left();
  plan.contenders = command.steps ? bench::step_contenders(command.wishes)
                                  : bench::contenders(command.wishes, plan.timing);
  if (command.count) bench::refuse_uncountable(plan);
  plan.stop = &catch_interrupts();
  plan.on_step = [&](const bench::Step& step) { show(progress, step); };
  report::BenchRecord head = begun(plan, argv, command.quick, command.machine);
  std::optional<bench::Measured> before;
  if (command.goes_on) before = what_is_left(output.left(), head, plan);
  const auto record_of = [&](bench::Measured measured) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return finished(head, std::move(measured), seconds.count(), command.wishes.subjects);
  };
  Kept<bench::Measured> kept;
  plan.on_kept = [&](bench::Measured measured) {
    output.keep(record_of(measured));
    kept.put(std::move(measured));
  };
  LastResort last_resort([&] {
    if (auto measured = kept.get()) output.write(record_of(std::move(*measured)));
  });
  const report::BenchRecord record =
      record_of(command.steps   ? bench::count_steps(plan)
                : command.count ? bench::count_instructions(plan)
                                : bench::run(plan, std::move(before)));
  last_resort.begin();
  progress.clear();
  output.write(record);
  last_resort.done();
  print(to_text(record));
  if (record.done && !command.output.empty()) {
    print(fmt::format("to go on: the same command with --resume {0} in place of -o {0}\n",
                      command.output));
  }
  print(record.meta.line + "\n");
  return record.meta.exit_code;
}

int list_cases() {
  for (const measure::CaseFamily& family : measure::all_families()) {
    std::string axes;
    for (const measure::Axis& axis : family.axes) axes += " " + to_text(axis);
    print(fmt::format("{:<28} {:<17} {}{}{}\n", family.name, family.quantity, family.what,
                      axes.empty() ? "" : ";", axes));
  }
  return kExitOk;
}

int bench_with(const BenchCommand& command, const std::vector<std::string>& argv) {
  if (!command.worker.empty()) return bench::be_bench_worker(command.worker);
  return command.list ? list_cases() : measure_all(command, argv);
}

constexpr const char* kFooter =
    "A subject runs each loop (harness/protocol/areas/bench.md) inside itself, by its own clock,\n"
    "and shows by a checksum that it did: before it is timed, and in every sample. A wrong\n"
    "checksum, an error or a crash gives no time, and the exit code is 1; it is 5 where a subject\n"
    "that was named has none of the loops. The unit is the process:\n"
    "every subject is started afresh for each round, subjects and cases take turns in an order\n"
    "that --seed decides, and the number is the median of the processes' medians with its\n"
    "interval. `null calls` is how many calls through a function pointer it lasts, in the same\n"
    "processes. Ctrl-C keeps what is done; meanwhile it is in FILE.partial, whatever ends the "
    "bench.\n"
    "The same command with --resume FILE in place of -o FILE goes on from there: a round that was "
    "not complete is done again.\n"
    "--count gives instructions in place of times: each loop runs n and 2n times under Valgrind,\n"
    "and the difference over n is rounded to half an instruction. It is done in two processes\n"
    "each, and where they differ a warning says so. Native subjects only.\n"
    "--steps counts what is asked of devices; every subject that counts has it, simulated ones "
    "too.\n"
    "Example: assay bench dispatch/typed --quick --subject reference -o bench.json";

void add_choices(CliCommand command, BenchCommand& options) {
  command.add_option("name", options.words,
                     "Only cases of this name, or whose names begin so: dispatch, dispatch/typed, "
                     "mem; may be repeated");
  command.add_option(
      "--subject", options.wishes.subjects,
      "pointer, reference, libtorch, or as for assay run; may be repeated "
      "(pointer, reference, libtorch where it was built, cuda where there is a device)");
  command.add_option("--filter", options.filters,
                     "Only cases with such a name: a glob, or the beginning up to a slash; may be "
                     "repeated");
  command.add_option("--exclude", options.excludes, "Leave these out; may be repeated");
  command.add_option("--axis", options.axes,
                     "Other values of an axis: cache=[miss], N=[1000,3000], N[pow2]=[10:28:2]; "
                     "may be repeated. Cases that can have none of them are left out");
  command.add_flag("--list", options.list, "The cases: quantity, what they do, axes");
  command.add_flag("--count", options.count,
                   "Instructions of an iteration in place of its time: instr.count, by Valgrind");
  command.add_flag("--steps", options.steps,
                   "What a training step with a gradient scaler launches, copies, waits for and "
                   "allocates, call by call, in place of times");
  command.add_flag("--aa", options.wishes.twice,
                   "Each subject beside a copy of itself: how much does this machine differ from "
                   "itself today?");
  command.add_option("--against", options.wishes.against,
                     "Another build of this program, whose subjects take turns with this one's");
}

std::string complaint_about_precision(const std::string& text) {
  if (compare::share_from_text(text).value_or(0) > 0) return "";
  return fmt::format("'{}' is not a precision; write 1% or 0.01", text);
}

void add_amounts(CliCommand command, BenchCommand& options) {
  command
      .add_option("--processes", options.processes,
                  "Fresh processes for each subject (12, at least 7; 2 with --quick or --count)")
      .check(in_range(1, 1000));
  command
      .add_option("--samples", options.samples,
                  "Samples of a case in a process (20; 5 with --quick)")
      .check(in_range(1, 1000));
  command
      .add_option("--min-time", options.min_time_ms,
                  "Milliseconds that a sample lasts at least (2.5; 0.2 with --quick)")
      .check(in_range(0.001, 10'000.0));
  command
      .on_option(
          "--precision",
          [&options](const std::string& text) {
            options.precision = *compare::share_from_text(text);
          },
          "Start no more processes than it takes, from 7 on, for every interval to reach no "
          "further than this share from its number (1%); --processes is the most")
      .check({complaint_about_precision, "SHARE"});
  command.add_flag("--quick", options.quick, "Few processes and samples; not for comparisons");
  command.add_option("--seed", options.seed, "Seed of the order of subjects and cases (1)");
}

}  // namespace

void add_bench(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("bench", "What calls cost: timed in fresh processes, with intervals");
  command.footer(kFooter);
  auto options = std::make_shared<BenchCommand>();
  add_choices(command, *options);
  add_amounts(command, *options);
  const Option output =
      command.add_option("-o,--output", options->output, "Write the record to FILE, as JSON");
  command
      .on_option(
          "--resume",
          [options](const std::string& path) {
            options->output = BenchOutput::path_of(path);
            options->goes_on = true;
          },
          "Go on with the bench that was to write FILE and has ended before its time; the other "
          "options must be as they were")
      .excludes(output);
  command.add_option("--machine", options->machine,
                     "What the record calls this machine (its CPU and number of cores)");
  command.add_option("--worker", options->worker,
                     "What each process is started with: times the loops of this subject as "
                     "standard input says");
  command.callback(
      [options, &invocation] { invocation.exit_code = bench_with(*options, invocation.argv); });
}

}  // namespace assay::cli
