// What `assay bench` can be asked for.
#include "harness/cli/command_line/bench_options.hpp"

#include <fmt/format.h>

#include "harness/compare/share.hpp"

namespace assay::cli {
namespace {

void add_choices(CliCommand command, BenchOptions& options) {
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

std::string complaint_about_share(const std::string& text) {
  if (compare::share_from_text(text).value_or(0) > 0) return "";
  return fmt::format("'{}' is no share above 0; write 1% or 0.01", text);
}

void add_amounts(CliCommand command, BenchOptions& options) {
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
      .check({complaint_about_share, "SHARE"});
  command
      .on_option(
          "--until-decided",
          [&options](const std::string& text) {
            options.until_decided = *compare::share_from_text(text);
          },
          "Look at the comparison of the subjects, or builds, after 12, 24, 48, ... processes, and "
          "end where every pair has a verdict by this margin (2%); --processes is the most (48)")
      .check({complaint_about_share, "SHARE"});
  command.add_flag("--quick", options.quick, "Few processes and samples; not for comparisons");
  command.add_option("--seed", options.seed, "Seed of the order of subjects and cases (1)");
}

}  // namespace

void add_bench_options(CliCommand command, BenchOptions& options) {
  add_choices(command, options);
  add_amounts(command, options);
  command.add_option("--machine", options.machine,
                     "What the record calls this machine (its CPU and number of cores)");
  command.add_option("--worker", options.worker,
                     "What each process is started with: times the loops of this subject as "
                     "standard input says");
}

}  // namespace assay::cli
