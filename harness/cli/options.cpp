// Shared options, declared once.
#include "harness/cli/options.hpp"

#include <cstdlib>

#include "harness/cli/own_cases.hpp"

namespace assay::cli {

void add_contract(CLI::App& command, Selection& selection) {
  command
      .add_option_function<std::string>(
          "--release", [&](const std::string& text) { selection.release = release_named(text); },
          "PyTorch release whose behaviour is asked for")
      ->check(CLI::IsMember({"1.13", "2.4", "2.11"}));
  command
      .add_option_function<std::string>(
          "--device-rules",
          [&](const std::string& text) { selection.device_rules = device_rules_named(text); },
          "Rules of which device type")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command
      .add_option_function<std::string>(
          "--deviations",
          [&](const std::string& text) { selection.deviations = deviations_named(text); },
          "strict: what the clauses demand; compat: what PyTorch does")
      ->check(CLI::IsMember({"strict", "compat"}));
}

void add_own_cases_option(CLI::App& command) {
  command.add_option_function<std::vector<std::string>>(
      "--cases",
      [](const std::vector<std::string>& folders) {
        for (const std::string& folder : folders) load_own_cases(folder);
      },
      "Cases of your own: the programs in the .jsonl files of this folder (repeatable)");
}

void add_selection(CLI::App& command, Selection& selection) {
  add_own_cases_option(command);
  command
      .add_option("--filter", selection.filters,
                  "Only cases whose id or clause matches this glob, or holds this regular "
                  "expression between slashes: '/_(nan|inf)/' (repeatable)")
      ->check(complaint_about_pattern);
  command.add_option("--exclude", selection.excludes, "Not those that match this one (repeatable)")
      ->check(complaint_about_pattern);
  command.add_flag("--full", selection.full, "Long sweeps as well");
  add_contract(command, selection);
  command
      .add_option_function<std::string>(
          "--contracts", [&](const std::string& text) { selection.all_contracts = text == "all"; },
          "first: each case under the first contract that it admits; all: under every one")
      ->check(CLI::IsMember({"first", "all"}));
}

void add_subject_options(CLI::App& command, SubjectOptions& options) {
  command
      .add_option_function<double>(
          "--timeout",
          [&](double seconds) {
            options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
          },
          "Seconds that a case may take, if its subject is a process (30; ten times that for the "
          "sweeps of --full, and for its start if that is not more than 30)")
      ->check(CLI::Range(0.001, 86400.0));
  command.add_flag_function(
      "--isolate,!--no-isolate", [&](std::int64_t count) { options.isolate = count > 0; },
      "The subject in a process of its own, so that its death costs one case; a "
      "command line always is, a library unless --no-isolate, the reference only "
      "with --isolate or -j");
  command.add_option_function<std::string>(
      "--python",
      [&](const std::string& python) {
        options.python = python;
        // Lines that repeat a case name it too.
        setenv("ASSAY_PYTHON", python.c_str(), 1);
      },
      "The Python whose PyTorch the subject torch is (ASSAY_PYTHON, or python3)");
  command.add_flag("--allow-absent", options.allow_absent,
                   "Exit with 77 where the subject's device is absent, and not with 2");
  command.add_option("--require", options.required_areas,
                     "Area in which a foreign subject must support everything (repeatable)");
}

}  // namespace assay::cli
