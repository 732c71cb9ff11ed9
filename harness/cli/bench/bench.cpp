// assay bench: measures the cost of calls in fresh processes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "harness/bench/contenders.hpp"
#include "harness/bench/count/count.hpp"
#include "harness/bench/plan.hpp"
#include "harness/bench/resume.hpp"
#include "harness/bench/session.hpp"
#include "harness/bench/steps.hpp"
#include "harness/cli/bench/bench_record.hpp"
#include "harness/cli/bench/bench_until.hpp"
#include "harness/cli/command_line/bench_options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/nvml.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

/// The default of --until-decided: three looks.
constexpr int kMostToDecide = 48;

int processes_of(const BenchOptions& command) {
  if (command.count || command.steps) return bench::counts_for(command.processes, command.quick);
  if (command.processes == 0 && command.until_decided > 0) return kMostToDecide;
  if (command.processes == 0) return command.quick ? 2 : 12;
  if (command.quick || command.processes >= bench::kFewestProcesses) return command.processes;
  throw UsageError(fmt::format(
      "--processes {}: a comparison needs at least {}; --quick accepts fewer, and the record says "
      "so",
      command.processes, bench::kFewestProcesses));
}

measure::TimingOptions timing_of(const BenchOptions& command) {
  measure::TimingOptions timing;
  const bool is_timed = command.samples > 0 || command.min_time_ms > 0 || command.precision > 0;
  if (command.steps && is_timed)
    throw UsageError(
        "--steps does not measure time: it takes no --samples, --min-time or --precision");
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

std::vector<bench::AxisChoice> choices_of(const BenchOptions& command) {
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

/// Those whose time is the device's, by the profiler's records.
std::vector<measure::TimedCase> by_activity(std::vector<measure::TimedCase> cases) {
  std::erase_if(cases, [](const auto& timed) { return timed.quantity != "device.exec_ns"; });
  if (cases.empty())
    throw UsageError("--activity: no selected case is timed by the device's clock");
  for (measure::TimedCase& timed : cases) {
    for (auto& [name, value] : timed.call.arguments) {
      if (name == "clock") value = std::string("activity");
    }
  }
  return cases;
}

std::vector<measure::TimedCase> cases_of(const BenchOptions& command) {
  const std::vector<bench::AxisChoice> axes = choices_of(command);
  for (const std::string& filter : command.filters) {
    if (!bench::select_cases({filter}, {}, axes).empty()) continue;
    throw UsageError(
        fmt::format("--filter '{}' matches no case{}{}; `assay bench --list` names them", filter,
                    axes.empty() ? "" : " with the chosen axes", bench::nearest_cases(filter)));
  }
  std::vector<std::string> filters = command.filters;
  for (const std::string& word : command.words) filters.push_back(bench::filter_of(word, axes));
  std::vector<measure::TimedCase> cases = bench::select_cases(filters, command.excludes, axes);
  return command.activity ? by_activity(std::move(cases)) : cases;
}

void show(Progress& progress, const bench::Step& step) {
  const std::string left = step.left ? fmt::format(", {} s left", step.left->count()) : "";
  progress.show(fmt::format("[{}/{}{}] {}", step.done, step.planned, left, step.what));
}

/// The record states the number of looks.
void plan_looks(const BenchOptions& command, bench::Plan& plan, report::BenchRecord& head,
                const std::function<report::BenchRecord(bench::Measured)>& record_of) {
  if (command.until_decided == 0) return;
  if (plan.contenders.size() < 2)
    throw UsageError("--until-decided needs a second --subject, or another build by --against");
  plan.looks = looks_up_to(plan.processes);
  head.meta.looks = static_cast<std::int64_t>(plan.looks.size());
  plan.is_decided = [record_of, key = key_to_decide(command.contenders),
                     margin = command.until_decided](bench::Measured measured) {
    return is_decided(record_of(std::move(measured)), key, margin);
  };
}

/// Steps are few and depend on each other, so options that select cases do not apply.
void refuse_conflicting_options(const BenchOptions& command) {
  const bool chosen = !command.words.empty() || !command.filters.empty() ||
                      !command.excludes.empty() || !command.axes.empty();
  if (command.steps && (chosen || command.count))
    throw UsageError(
        "--steps counts every step: it takes no names, --filter, --exclude, --axis or --count");
  if (command.activity && (command.steps || command.count))
    throw UsageError("--activity is for times: it takes no --steps or --count");
  if (command.audit_counts && !command.audit)
    throw UsageError("--audit-counts is a part of --audit: give both");
  if (command.audit && (command.steps || command.count))
    throw UsageError("--audit is for times: it takes no --steps or --count");
  if (command.until_decided > 0 && (command.precision > 0 || command.quick))
    throw UsageError(
        "--until-decided decides when the run ends: it takes no --precision or --quick");
  if (command.until_decided > 0 && (command.steps || command.count))
    throw UsageError("--until-decided is for times: counts need no statistics");
  if (command.goes_on && (command.steps || command.count))
    throw UsageError("--resume continues measurements of time only; counts start over");
}

/// The record keeps the start time, place and command of the bench that it continues.
bench::Measured what_is_left(const report::BenchRecord& left, report::BenchRecord& head,
                             const bench::Plan& plan) {
  bench::Measured measured = bench::resumed(left, head, plan);
  head.meta = left.meta;
  head.environment = left.environment;
  return measured;
}

bench::Measured timed(const bench::Plan& plan, std::optional<bench::Measured> before,
                      bool is_counted) {
  bench::Measured measured = bench::run(plan, std::move(before));
  if (is_counted) bench::audit_by_counts(plan, measured);
  return measured;
}

int measure_all(const BenchOptions& command, const std::vector<std::string>& argv) {
  const auto begin = std::chrono::steady_clock::now();
  Progress progress;
  bench::Plan plan;
  refuse_conflicting_options(command);
  plan.processes = processes_of(command);
  plan.timing = timing_of(command);
  plan.precision = command.precision;
  if (!command.steps) plan.cases = cases_of(command);
  plan.seed = command.seed;
  plan.pins = !command.no_pin && measure::Nvml::open() == nullptr;
  report::refuse_unwritable(command.output);
  BenchOutput output(command.output);
  output.claim();
  if (!command.goes_on) output.refuse_partial_record();
  plan.contenders = command.steps ? bench::step_contenders(command.contenders)
                                  : bench::contenders(command.contenders, plan.timing);
  if (command.count) bench::refuse_uncountable(plan);
  if (command.audit_counts) bench::refuse_without_valgrind("--audit-counts");
  if (command.audit) plan.auditor = bench::auditor_here();
  plan.stop = &catch_interrupts();
  plan.on_step = [&](const bench::Step& step) { show(progress, step); };
  report::BenchRecord head = begun(plan, argv, command.quick, command.machine);
  if (command.activity) head.meta.device_clock = "activity";
  if (command.audit) head.meta.audited = true;
  const auto record_of = [&](bench::Measured measured) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return finished(head, std::move(measured), seconds.count(), command.contenders.subjects);
  };
  plan_looks(command, plan, head, record_of);
  std::optional<bench::Measured> before;
  if (command.goes_on) before = what_is_left(output.left(), head, plan);
  LatestValue<bench::Measured> kept;
  plan.on_kept = [&](bench::Measured measured) {
    output.keep(record_of(measured));
    kept.put(std::move(measured));
  };
  SaveOnSignal last_resort([&] {
    if (auto measured = kept.get()) output.write(record_of(std::move(*measured)));
  });
  const report::BenchRecord record =
      record_of(command.steps   ? bench::count_steps(plan)
                : command.count ? bench::count_instructions(plan)
                                : timed(plan, std::move(before), command.audit_counts));
  last_resort.begin();
  progress.clear();
  output.write(record);
  last_resort.done();
  print(to_text(record));
  if (record.done && !command.output.empty()) {
    print(fmt::format("to continue: repeat the command with --resume {0} instead of -o {0}\n",
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

int bench_with(BenchOptions command, const std::vector<std::string>& argv) {
  take_profile(command);
  if (!command.worker.empty()) return bench::run_bench_worker(command.worker);
  return command.list ? list_cases() : measure_all(command, argv);
}

constexpr const char* kFooter =
    "Each subject runs its loops (harness/protocol/areas/bench.md) in its own process, times them "
    "with its own clock, and proves by a checksum that it did the work: before it is timed, and in "
    "every sample. A wrong checksum, an error or a crash gives no time, and the exit code is 1. "
    "The exit code is 5 if a named subject has none of the loops. The sampling unit is the "
    "process: every round starts each subject afresh, in an order drawn from --seed, and the "
    "subjects take their samples in turns. The result is "
    "the median of the processes' medians, with its interval.\n"
    "`null calls` is the time divided by that of a call through a function pointer, measured in "
    "the same processes.\n"
    "Results are kept in FILE.partial while the bench runs. If it is interrupted, repeat the "
    "command with --resume FILE instead of -o FILE; a round that was not complete is done again.\n"
    "--until-decided 2% ends the run as soon as `assay compare --margin 2%` would call no pair "
    "undecided. Each look at the results is a chance to err, so a comparison of such a record "
    "divides its alpha by the number of looks: ending early does not raise the error rate.\n"
    "--count measures instructions instead of time: each loop runs n and 2n times under Valgrind, "
    "and the difference divided by n is rounded to half an instruction. Every count is taken in "
    "two processes, with a warning if they differ. Native subjects only.\n"
    "--steps counts the work that is requested of devices. Simulated devices count it too.\n"
    "Example: assay bench dispatch/typed --quick --subject reference -o bench.json";

}  // namespace

void add_bench(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("bench", "Measure what calls cost, in fresh processes, with intervals");
  command.footer(kFooter);
  auto options = std::make_shared<BenchOptions>();
  add_bench_options(command, *options);
  const Option output =
      command.add_option("-o,--output", options->output, "Write the record to FILE, as JSON");
  command
      .on_option(
          "--resume",
          [options](const std::string& path) {
            options->output = BenchOutput::path_of(path);
            options->goes_on = true;
          },
          "Continue the interrupted bench that writes FILE; the other options must be the same")
      .excludes(output);
  command.callback(
      [options, &invocation] { invocation.exit_code = bench_with(*options, invocation.argv); });
}

}  // namespace assay::cli
