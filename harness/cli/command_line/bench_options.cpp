// Declares the options of `assay bench`.
#include "harness/cli/command_line/bench_options.hpp"

#include <fmt/format.h>

#include "harness/compare/thresholds.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::cli {
namespace {

void add_choices(CliCommand command, BenchOptions& options) {
  command.add_option(
      "name", options.words,
      "Only cases with this name or prefix: dispatch, dispatch/typed, mem (repeatable)");
  command.add_option(
      "--subject", options.contenders.subjects,
      "pointer, reference, libtorch, or a subject as for `assay run` (repeatable; pointer, "
      "reference, libtorch if it was built, cuda if there is a device)");
  command.add_option("--filter", options.filters,
                     "Only cases that match: a glob, or a prefix up to a slash (repeatable)");
  command.add_option("--exclude", options.excludes, "Leave out cases that match (repeatable)");
  command.add_option("--axis", options.axes,
                     "Other values for an axis: cache=[miss], N=[1000,3000], N[pow2]=[10:28:2] "
                     "(repeatable). Cases without any of these values are left out");
  command
      .add_option("--profile", options.profile,
                  "fleet: what `assay fleet` compares, in about a minute a GPU: copies, fills, a "
                  "cast, events, launches and graphs, in 7 processes of 5 samples of 1 ms")
      .check(one_of({"fleet"}));
  command.add_flag("--list", options.list,
                   "List the cases: what they measure, what they do, their axes");
  command.add_flag(
      "--count", options.count,
      "Count instructions per iteration (instr.count) under Valgrind, instead of time");
  command.add_flag("--steps", options.steps,
                   "Count what a training step with a gradient scaler launches, copies, waits for "
                   "and allocates, call by call, instead of time");
  command.add_flag("--activity", options.activity,
                   "Time only cases with the device's clock, by CUPTI's records of each kernel and "
                   "copy instead of events, as a cross-check for `assay compare`");
  command.add_flag(
      "--audit", options.audit,
      "Hold the times that subjects report against this program's own clock, in "
      "batches from seeds that they cannot know, and refuse those that cannot be true");
  command.add_flag(
      "--audit-counts", options.audit_counts,
      "With --audit, also hold them against instructions counted under Valgrind, which "
      "takes minutes (native subjects, loops on the host)");
  command.add_flag(
      "--aa", options.contenders.twice,
      "Time a copy of each subject as well: the difference is the noise of this machine");
  command.add_option(
      "--against", options.contenders.against,
      "Another build of this program: its subjects are timed in turns with this one's");
}

std::string complaint_about_share(const std::string& text) {
  if (compare::share_from_text(text).value_or(0) > 0) return "";
  return fmt::format("'{}' is not a share above 0: write 1% or 0.01", text);
}

void add_share(CliCommand command, const char* name, double& share, const char* help) {
  command
      .on_option(
          name, [&share](const std::string& text) { share = *compare::share_from_text(text); },
          help)
      .check({complaint_about_share, "SHARE"});
}

void add_amounts(CliCommand command, BenchOptions& options) {
  command
      .add_option("--processes", options.processes,
                  "Processes per subject (12, at least 7; 2 with --quick or --count)")
      .check(in_range(1, 1000));
  command
      .add_option("--samples", options.samples, "Samples per case and process (20; 5 with --quick)")
      .check(in_range(1, 1000));
  command
      .add_option("--min-time", options.min_time_ms,
                  "Shortest length of a sample in milliseconds (2.5; 0.2 with --quick)")
      .check(in_range(0.001, 10'000.0));
  add_share(command, "--precision", options.precision,
            "Stop as soon as every interval lies within this share of its result (1%), after at "
            "least 7 processes and at most --processes");
  add_share(command, "--until-decided", options.until_decided,
            "Compare the subjects, or builds, after 12, 24, 48, ... processes, and stop when every "
            "pair has a verdict by this margin (2%), after at most --processes (48)");
  command.add_flag(
      "--no-pin", options.no_pin,
      "Let the system choose the CPUs. Otherwise the subjects of a round share one CPU, "
      "and each round uses the next, unless the machine has a GPU");
  command.add_flag("--quick", options.quick,
                   "Use few processes and samples; the result is not for comparisons");
  command.add_option("--seed", options.seed, "Seed for the order of subjects and cases (1)");
}

}  // namespace

void add_bench_options(CliCommand command, BenchOptions& options) {
  add_choices(command, options);
  add_amounts(command, options);
  command.add_option("--machine", options.machine,
                     "Name of this machine in the record (its CPU and number of cores)");
  command.add_option("--worker", options.worker,
                     "For internal use: time the loops of this subject as standard input asks");
}

void take_profile(BenchOptions& options) {
  if (options.profile.empty()) return;
  if (!options.words.empty() || !options.filters.empty() || !options.excludes.empty() ||
      !options.axes.empty()) {
    throw UsageError(
        "--profile chooses the cases: it takes no names, --filter, --exclude or --axis");
  }
  if (options.quick || options.count || options.steps)
    throw UsageError("--profile is for times to compare: it takes no --quick, --count or --steps");
  options.filters = {"device/copy*",  "device/memset", "device/cast_to", "device/event_pair",
                     "launch/kernel", "sync/kernel",   "graph/kernel"};
  // No cache holds operands of this size: cold ones say what hot ones do, and take longer.
  // do.
  options.excludes = {"device/*/N=67108864/l2=cold"};
  if (options.processes == 0) options.processes = 7;
  if (options.samples == 0) options.samples = 5;
  if (options.min_time_ms == 0) options.min_time_ms = 1;
}

}  // namespace assay::cli
