// Declares and checks the options of `assay run`.
#include "harness/cli/command_line/run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "harness/cli/command_line/options.hpp"
#include "harness/console/folders.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/environment_shard.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay::cli {
namespace {

void choose_shard(const std::string& text, RunOptions& options) {
  const auto count = auto_shard_from_text(text);
  FoundShard found;
  if (count) {
    found = shard_of_environment(*count, [](const char* name) { return std::getenv(name); });
  } else {
    found.shard = *shard_from_text(text);
  }
  options.shard = found.shard;
  options.shard_from = found.from;
}

void add_pace(CliCommand command, RunOptions& options) {
  add_jobs(command, options.jobs);
  command
      .on_option(
          "--shard", [&](const std::string& text) { choose_shard(text, options); },
          "i/n: run the i-th of n parts that have equally many cases, for `assay merge`; auto: the "
          "part that Slurm, GitLab CI, CircleCI or Buildkite gives to this job; auto/n: that of an "
          "indexed job of Kubernetes with n completions")
      .check(
          {[](const std::string& text) {
             return shard_from_text(text) || auto_shard_from_text(text)
                        ? ""
                        : "expected i/n, with i from 1 to n and n up to 1000000, auto or auto/n, "
                          "got " +
                              text;
           },
           ""});
  command.add_option("--repeat", options.attempts.repeat, "Run every case this many times (1)")
      .check(in_range(1, 1'000'000));
  command
      .add_option(
          "--rerun", options.attempts.rerun,
          "Repeat a case that does not pass up to this many times; if it passes then, it is flaky, "
          "which does not count as a pass (0)")
      .check(in_range(0, 1'000'000));
  command.add_flag("--fail-fast", options.fail_fast, "Stop at the first case that fails");
}

void add_journal(CliCommand command, JournalOptions& options) {
  command.add_option(
      "--journal", options.path,
      "Write finished cases to this file during the run (beside the file of --json, or in "
      "~/.local/state/assay; removed at the end unless named here). The journal of an unfinished "
      "run is never overwritten");
  command.add_option(
      "--resume", options.resume,
      "Continue the run that wrote this journal; the options, the subject's program and the files "
      "of cases must be the same. auto: continue what this command left unfinished in its journal "
      "(that of --journal, or beside the file of --json), as after a requeue; begin anew if there "
      "is nothing, if it is finished, or if it is another run's, whose journal is then renamed");
}

void add_style(CliCommand command, ReportStyle& style) {
  Option verbose = command.add_flag("-v,--verbose", style.verbose,
                                    "Print a line for every case, and every failure in full");
  command.add_flag("-q,--quiet", style.quiet, "Print only the list of failures and the verdict")
      .excludes(verbose);
  command
      .add_option("--cards", style.cards,
                  "Show this many failures of a subject in full, the others in a line each (5)")
      .check(in_range(0, 1'000'000));
  command.add_option("--durations", style.durations, "List this many of the slowest cases")
      .check(in_range(0, 1'000'000));
}

/// Checks the path before the run rather than after it.
void check_output(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  if (path == "-") {
    throw UsageError(
        fmt::format("{}: expected a file, got '-'; standard output is for the report", option));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("{}: expected a file, and {} is a folder", option, path));
  }
  try {
    report::refuse_journal(path);
    report::check_can_write(path);
  } catch (const report::CannotWrite& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

/// True if the path is a file or does not exist yet.
bool may_be_replaced(const std::string& path) {
  std::error_code ignored;
  return !is_there(path) || std::filesystem::is_regular_file(path, ignored);
}

/// The option that writes each file.
using TakenFiles = std::map<std::string, std::string_view>;

/// If two options named the same file, the second would replace the first.
void check_record_files(const RecordFiles& files, TakenFiles taken) {
  for (const auto& [option, path] : {std::pair<std::string_view, std::string>{"--json", files.json},
                                     {"--junit", files.junit},
                                     {"--markdown", files.markdown}}) {
    check_output(option, path);
    if (path.empty() || !may_be_replaced(path)) continue;
    const auto [place, is_new] = taken.emplace(report::written_path(path), option);
    if (is_new) continue;
    throw UsageError(
        fmt::format("{} and {} would both be written to {}", place->second, option, path));
  }
}

void check_outputs(const RunOptions& options) {
  const JournalOptions& journal = options.journal;
  if (!journal.resume.empty() && !journal.is_auto() && !journal.path.empty()) {
    throw UsageError("--resume excludes --journal");
  }
  TakenFiles taken;
  for (const auto& [option, path] :
       {std::pair<std::string_view, std::string>{"--journal", journal.path},
        {"--resume", journal.is_auto() ? "" : journal.resume}}) {
    if (!path.empty() && may_be_replaced(path)) {
      taken.emplace(report::written_path(path), option);
    }
  }
  check_record_files(options.files, std::move(taken));
}

std::vector<std::string> areas() {
  std::set<std::string> found;
  for (const Case& test : all_cases()) found.insert(area_of_case(test.id));
  return {found.begin(), found.end()};
}

/// A required area must be part of the selection.
void check_required(const std::string& area, const RunOptions& options) {
  const std::vector<std::string> known = areas();
  if (std::ranges::find(known, area) == known.end()) {
    throw UsageError(fmt::format("--require: unknown area '{}'{}; the areas are {}", area,
                                 suggestion(area, known), fmt::join(known, ", ")));
  }
  const bool is_asked = std::ranges::any_of(all_cases(), [&](const Case& test) {
    return area_of_case(test.id) == area && options.selection.selects(test);
  });
  if (is_asked) return;
  throw UsageError(fmt::format("--require {0}: no case of {0} is selected", area));
}

}  // namespace

void add_run_options(CliCommand command, RunOptions& options) {
  command.add_option("name", options.words,
                     "Cases to run, by name, prefix or clause, as in `assay run amp/update_scale "
                     "AMP-105`");
  command.begin_group("What is checked");
  command.add_option(
      "--subject", options.subjects,
      "reference, cuda, cuda_on_cpu, mutant:<fault>, torch (\"torch --device cuda\"), a "
      "shared library, or a command line (repeatable; reference and cuda_on_cpu, and cuda where "
      "there is a device)");
  command.add_option(
      "--transcripts", options.transcripts,
      "Also compare the subjects with recorded replies of real PyTorch: newest, all, none, one "
      "that `assay list transcripts` names, or a folder (repeatable; newest without --subject, "
      "none with it)");
  add_selection(command, options.selection);
  add_subject_options(command, options.subject);
  command.add_flag("--strict-end", options.strict_end,
                   "Exit with 1 also if a subject's process does not end with status 0, within "
                   "--timeout, after its last case: leak checkers and sanitizers report that way");
  command.begin_group("Order and pace");
  add_pace(command, options);
  command
      .add_option("--shrink", options.shrink_seconds,
                  "Spend up to this many seconds on short programs that show the failures of a "
                  "subject (20; 0: none)")
      .check(in_range(0.0, 1e6));
  command.add_flag("--perturb", options.perturbed,
                   "Send the program of each case that passes again with changes that must not "
                   "matter: beside a copy of itself, on another thread, on another device, with "
                   "gradients off; once more with each command first failing at each call of a "
                   "simulated driver, and once with each first failing because a callable raises. "
                   "The case fails if the replies differ");
  command.add_flag("--shuffle", options.shuffled, "Run the cases in random order");
  command.add_option("--seed", options.seed,
                     "Seed for --shuffle (a new one each time, printed and recorded)");
  command.add_option(
      "--debug", options.debug,
      "Run this case alone, in the foreground: wait for a debugger, show each command "
      "before it is sent, stop where the case fails");
  command.begin_group("Records");
  add_record_files(command, "--json", options.files);
  add_journal(command, options.journal);
  command.add_option(
      "--redact", options.secrets,
      "Show and record this text as *** wherever a command line is shown or recorded, because "
      "it is a secret (repeatable)");
  command.begin_group("Known failures");
  command.add_option("--waivers", options.waiver_files,
                     "File of known failures, as suites/waivers/README.md says (repeatable)");
  command.add_flag("--strict-waivers", options.strict_waivers,
                   "Exit with 6 when a waiver has expired, is unused or is not needed");
  command.add_option("--support", options.support_files,
                     "File of what a foreign subject need not support, and why, as "
                     "suites/support/README.md says (repeatable)");
  command.add_flag("--partial", options.partial,
                   "Exit with 0 instead of 4 if commands of a claimed area are not answered; the "
                   "verdict stays INCOMPLETE");
  command.begin_group("Output");
  add_style(command, options.style);
}

void add_record_files(CliCommand command, const std::string& names, RecordFiles& files) {
  command.add_option(names, files.json, "Write the record of the run to this file");
  command.add_option("--junit", files.junit, "Write JUnit XML to this file");
  command.add_option("--markdown", files.markdown, "Write a summary page to this file");
}

void check(const RecordFiles& files) { check_record_files(files, {}); }

void check(const RunOptions& options) {
  check_outputs(options);
  for (const std::string& area : options.subject.required_areas) check_required(area, options);
  if (options.seed && !options.shuffled) {
    throw UsageError("--seed has no effect without --shuffle");
  }
  if (options.strict_end && options.subject.isolate == false) {
    throw UsageError("--strict-end has no effect with --no-isolate: no process of a subject ends");
  }
  const bool is_foreign = std::ranges::any_of(
      options.subjects, [](const std::string& subject) { return !has_own_support(subject); });
  if (!options.support_files.empty() && !is_foreign) {
    throw UsageError(
        "--support: this run has no foreign subject; suites/support has the files of this "
        "project's own subjects");
  }
}

}  // namespace assay::cli
