// assay slurm: prints a script that runs the shards of a run as jobs of Slurm, and merges them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "harness/cli/command_line/bare_words.hpp"
#include "harness/cli/command_line/run_options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/slurm/script.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

struct SlurmOptions {
  SlurmJobs jobs;
  /// The words behind `--`; the parser would split what stands in brackets.
  std::vector<std::string> command;
  std::vector<std::string> ignored;
  std::string name = "assay";
  std::string partition, account, time, gpus, gres, constraint, memory;
  int cpus = 0;
  std::vector<std::string> more;
};

/// What stands behind the first `--`.
std::vector<std::string> command_in(const std::vector<std::string>& argv) {
  const auto mark = std::ranges::find(argv, "--");
  return mark == argv.end() ? std::vector<std::string>() : std::vector(mark + 1, argv.end());
}

/// What each job would find out too late. The exit code if the words are not those of a run.
std::optional<int> check_run(const std::vector<std::string>& words, RunOptions& run) {
  CommandLine line("assay", "", "");
  CliCommand command = line.root().add_subcommand("run", "");
  add_run_options(command, run);
  std::vector<std::string> argv{"assay"};
  argv.insert(argv.end(), words.begin(), words.end());
  if (const auto exit_code = line.parse(argv)) return exit_code;
  hide_in_errors(run.secrets);
  refuse_unmatched_filters(run.selection);
  for (std::string& filter : filters_of(run.words, run.selection.full)) {
    run.selection.filters.push_back(std::move(filter));
  }
  check(run);
  read_support(run.support_files);
  read_waivers(run.waiver_files);
  complain(describe_unmatched_patterns(run.selection));
  return std::nullopt;
}

/// Options that the script sets itself, and those of a run that no job can be.
void refuse_own_options(const std::vector<std::string>& words) {
  constexpr std::array kOwn{"--shard", "--resume", "--journal", "--json", "--junit", "--markdown"};
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (std::ranges::find(kOwn, option) != kOwn.end()) {
      throw UsageError(fmt::format("{}: the script gives each job its own", option));
    }
    if (option == "--debug") throw UsageError("--debug needs a terminal, which no job has");
  }
}

void refuse_other_commands(const std::vector<std::string>& command) {
  if (!command.empty() && command.front() == "run") return;
  if (!command.empty() && command.front() == "bench") {
    throw UsageError(
        "bench cannot be divided: its subjects are timed in turns on one machine. Submit it as a "
        "job of its own: sbatch --exclusive --wrap 'assay bench ... -o bench.json'");
  }
  throw UsageError(fmt::format("expected `-- run` and the options of the run{}",
                               command.empty() ? "" : ", got '" + command.front() + "'"));
}

/// Options of sbatch without which the jobs would not find each other.
void refuse_options_of_the_script(const std::vector<std::string>& more) {
  constexpr std::array kOwn{"--array", "-a",      "--dependency", "-d",     "--output",
                            "-o",      "--error", "-e",           "--wrap", "--parsable"};
  for (const std::string& word : more) {
    if (!word.starts_with('-') || word.find_first_not_of('-') == std::string::npos) {
      throw UsageError(
          fmt::format("--sbatch: expected an option as in --sbatch=--nice=100, got '{}'", word));
    }
    if (std::ranges::find(kOwn, word.substr(0, word.find('='))) != kOwn.end()) {
      throw UsageError(fmt::format("--sbatch: the script sets {} itself", word));
    }
  }
}

void add_if_set(std::vector<std::string>& words, const char* option, const std::string& value) {
  if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
}

SlurmJobs jobs_of(const SlurmOptions& options, const RunOptions& run) {
  SlurmJobs jobs = options.jobs;
  jobs.program = command_path();
  jobs.run.assign(options.command.begin() + 1, options.command.end());
  jobs.argv.front() = "assay";
  for (std::string& word : jobs.argv) word = redacted(word, run.secrets);
  jobs.both = {"--requeue", "--open-mode=append"};
  jobs.both.insert(jobs.both.end(), options.more.begin(), options.more.end());
  add_if_set(jobs.both, "--job-name", options.name);
  add_if_set(jobs.both, "--partition", options.partition);
  add_if_set(jobs.both, "--account", options.account);
  add_if_set(jobs.both, "--time", options.time);
  const int cpus = options.cpus == 0 ? run.jobs : options.cpus;
  jobs.array.push_back(fmt::format("--cpus-per-task={}", cpus));
  add_if_set(jobs.array, "--mem", options.memory);
  add_if_set(jobs.array, "--gpus", options.gpus);
  add_if_set(jobs.array, "--gres", options.gres);
  add_if_set(jobs.array, "--constraint", options.constraint);
  return jobs;
}

int print_script(const SlurmOptions& options) {
  refuse_other_commands(options.command);
  refuse_own_options(options.command);
  refuse_options_of_the_script(options.more);
  RunOptions run;
  if (const auto exit_code = check_run(options.command, run)) return *exit_code;
  const std::string script = slurm_script(jobs_of(options, run));
  if (data_for_terminal(script, DataFormat::kJson) != script) {
    throw UsageError(
        "an argument has characters that cannot be shown, or is not UTF-8: the script would not "
        "have it as it is");
  }
  print(script);
  return kExitOk;
}

std::string complaint_about_folder(const std::string& path) {
  if (path.find('\\') != std::string::npos) {
    return "a path with a backslash, which Slurm reads in its own way";
  }
  return complaint_about_text(path);
}

void add_resources(CliCommand command, SlurmOptions& options) {
  const Check text{complaint_about_text, ""};
  command.begin_group("What each shard needs");
  command
      .add_option("--gpus", options.gpus,
                  "GPUs of each shard: a number, or type:number, as for sbatch --gpus (none)")
      .check({complaint_about_gpus, ""});
  command.add_option("--gres", options.gres, "As for sbatch --gres: gpu:h100:1").check(text);
  command.add_option("--constraint", options.constraint, "As for sbatch --constraint").check(text);
  command.add_option("--cpus", options.cpus, "CPUs of each shard (as many as the run's -j, or 1)")
      .check(in_range(1, 4096));
  command.add_option("--mem", options.memory, "Memory of each shard, as for sbatch --mem")
      .check(text);
}

void add_jobs_options(CliCommand command, SlurmOptions& options) {
  const Check text{complaint_about_text, ""};
  command.begin_group("Jobs");
  command.add_option("--shards", options.jobs.shards, "Divide the run into this many jobs")
      .required()
      .check(in_range(1, 10'000));
  command.add_option("--at-once", options.jobs.at_once, "The most shards that run at once (all)")
      .check(in_range(1, 10'000));
  command
      .add_option("-o,--output", options.jobs.folder,
                  "The folder for records and logs, on a file system that all nodes share; each "
                  "submission makes a new folder in it: 1, 2, 3 (assay-runs)")
      .check({complaint_about_folder, ""});
  command.add_option("-J,--name", options.name, "Name of the jobs (assay)").check(text);
  command.add_option("-p,--partition", options.partition, "Partition of the jobs").check(text);
  command.add_option("-A,--account", options.account, "Account of the jobs").check(text);
  command.add_option("-t,--time", options.time, "Time limit of each job, as for sbatch --time")
      .check({complaint_about_time, ""});
  command
      .add_option("--sbatch", options.more,
                  "Another option of sbatch, for all jobs: --sbatch=--qos=short (repeatable)")
      .check(text);
}

constexpr const char* kFooter =
    "`bash FILE` submits the script: an array of jobs, one shard each, and a job that merges their "
    "records when none is left. A requeued job continues its shard. A shard without a record makes "
    "the merged run INCOMPLETE and is named; `bash FILE again FOLDER` submits it and the merge "
    "again. The options of the run are checked now; its subject is not started.\n"
    "Example: assay slurm --shards 8 --gpus 1 -t 30 -- run --subject ./mine.so > job.sh\n"
    "         bash job.sh";

}  // namespace

void add_slurm(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("slurm", "Print a script that runs the shards of a run as jobs of Slurm");
  command.footer(kFooter);
  auto options = std::make_shared<SlurmOptions>();
  options->jobs.argv = invocation.argv;
  options->jobs.folder = "assay-runs";
  options->command = command_in(invocation.argv);
  command.add_option("COMMAND", options->ignored, "`-- run` and the options of the run");
  add_jobs_options(command, *options);
  add_resources(command, *options);
  command.callback([options, &invocation] { invocation.exit_code = print_script(*options); });
}

}  // namespace assay::cli
