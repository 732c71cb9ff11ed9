// Declares options that several commands share.
#include "harness/cli/command_line/options.hpp"

#include <cstdlib>

#include "harness/console/terminal.hpp"
#include "harness/recorded/own_cases.hpp"

namespace assay::cli {

void add_contract(CliCommand command, Selection& selection) {
  command
      .on_option(
          "--release", [&](const std::string& text) { selection.release = release_named(text); },
          "PyTorch release to conform to")
      .check(one_of(release_names()));
  command
      .on_option(
          "--device-rules",
          [&](const std::string& text) { selection.device_rules = device_rules_named(text); },
          "Device type whose rules apply")
      .check(one_of({"cpu", "cuda"}));
  command
      .on_option(
          "--deviations",
          [&](const std::string& text) { selection.deviations = deviations_named(text); },
          "strict: as the clauses demand; compat: as PyTorch does, mistakes included")
      .check(one_of({"strict", "compat"}));
}

void add_profile(CliCommand command, Selection& selection) {
  command
      .on_option(
          "--profile",
          [&](const std::string& text) { selection.training_only = text == "training"; },
          "training: only cases that a training loop with ordinary arguments can meet, as their "
          "clauses say (`Reach:`)")
      .check(one_of({"training"}));
}

void add_own_cases_option(CliCommand command) {
  command.on_options(
      "--cases",
      [](const std::vector<std::string>& folders) {
        for (const std::string& folder : folders) load_own_cases(folder);
      },
      "Cases of your own: the programs in the .jsonl files of this folder (repeatable)");
}

void add_selection(CliCommand command, Selection& selection) {
  command.begin_group("Which cases");
  add_own_cases_option(command);
  command
      .add_option("--filter", selection.filters,
                  "Only cases whose id or clause matches this glob, or holds this regular "
                  "expression between slashes: '/_(nan|inf)/' (repeatable)")
      .check({complaint_about_pattern, ""});
  command
      .add_option("--exclude", selection.excludes,
                  "Leave out cases that match this one (repeatable)")
      .check({complaint_about_pattern, ""});
  add_profile(command, selection);
  command.add_flag("--full", selection.full, "Run long sweeps as well");
  add_contract(command, selection);
  command
      .on_option(
          "--contracts", [&](const std::string& text) { selection.all_contracts = text == "all"; },
          "first: run each case under the first contract that it applies to; all: under every one")
      .check(one_of({"first", "all"}));
  command.begin_group("Options");
}

void add_subject_options(CliCommand command, SubjectOptions& options) {
  command.begin_group("How the subject runs");
  command
      .on_number(
          "--timeout",
          [&](double seconds) {
            options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
          },
          "Time limit of a case in seconds, if its subject is a process (30). A sweep of --full "
          "gets ten times as long, and cuda_on_cpu, whose kernels are simulated, four times; the "
          "subject's start gets ten times as long, unless the limit is above 30")
      .check(in_range(0.001, 86400.0));
  command.on_flag(
      "--isolate,!--no-isolate", [&](bool isolate) { options.isolate = isolate; },
      "Run the subject in its own process, so that a crash costs one case. A "
      "command line always does, a library by default, the reference only with --isolate or -j");
  command.on_option(
      "--python",
      [&](const std::string& python) {
        options.python = python;
        // So that the command lines printed to repeat a case include it.
        setenv("ASSAY_PYTHON", python.c_str(), 1);
      },
      "The Python interpreter for the subject torch (ASSAY_PYTHON, or python3)");
  command.add_flag("--allow-absent", options.allow_absent,
                   "Exit with 77 instead of 2 if the subject's device is absent; other subjects of "
                   "the run still run, and what is wrong with them decides");
  command.add_option(
      "--require", options.required_areas,
      "Area in which every command must be answered, even if hello or a support file "
      "excuses some (repeatable)");
  command.begin_group("Options");
}

void add_jobs(CliCommand command, int& jobs) {
  command
      .add_option("-j,--jobs", jobs,
                  "Run this many cases in parallel, each with its own subject (1)")
      .check(in_range(1, 256));
}

void add_colour_option(CliCommand app) {
  for (CliCommand command : app.subcommands()) {
    command.begin_group("Output");
    command
        .on_option(
            "--color",
            [](const std::string& text) {
              choose_colours(text == "always"  ? ColourChoice::kAlways
                             : text == "never" ? ColourChoice::kNever
                                               : ColourChoice::kAuto);
            },
            "Use colours; auto: on a terminal, unless NO_COLOR is set")
        .check(one_of({"auto", "always", "never"}));
    add_colour_option(command);
  }
}

}  // namespace assay::cli
