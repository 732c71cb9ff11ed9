// The commands of `assay`, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

/// How the program was called, and how it ends.
struct Invocation {
  std::vector<std::string> argv;
  int exit_code = 0;
};

/// Each adds its command to `app`; when that is chosen, it runs while the command line is parsed.
void add_run(CLI::App& app, Invocation& invocation);
void add_list(CLI::App& app, Invocation& invocation);
void add_explain(CLI::App& app, Invocation& invocation);
void add_coverage(CLI::App& app, Invocation& invocation);
void add_waivers(CLI::App& app, Invocation& invocation);
void add_diff(CLI::App& app, Invocation& invocation);
void add_selftest(CLI::App& app, Invocation& invocation);
void add_fuzz(CLI::App& app, Invocation& invocation);
void add_litmus(CLI::App& app, Invocation& invocation);
void add_cost(CLI::App& app, Invocation& invocation);
void add_record(CLI::App& app, Invocation& invocation);
void add_replay(CLI::App& app, Invocation& invocation);
void add_serve(CLI::App& app, Invocation& invocation);
void add_doctor(CLI::App& app, Invocation& invocation);

}  // namespace assay::cli
