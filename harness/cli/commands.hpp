// The commands of `assay`; each is implemented in its own file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command_line/command_line.hpp"
#include "harness/run/supervised.hpp"

namespace assay::cli {

/// The arguments and the exit code of the program.
struct Invocation {
  std::vector<std::string> argv;
  int exit_code = 0;
  /// Set if a library ended the child that ran the same command: this process then only reports.
  std::optional<Loss> loss = std::nullopt;
};

/// Each function adds its command to `app`; a selected command runs during parsing.
void add_run(CliCommand app, Invocation& invocation);
void add_next(CliCommand app, Invocation& invocation);
void add_port(CliCommand app, Invocation& invocation);
void add_slurm(CliCommand app, Invocation& invocation);
void add_merge(CliCommand app, Invocation& invocation);
void add_archive(CliCommand app, Invocation& invocation);
void add_history(CliCommand app, Invocation& invocation);
void add_fleet(CliCommand app, Invocation& invocation);
void add_list(CliCommand app, Invocation& invocation);
void add_explain(CliCommand app, Invocation& invocation);
void add_coverage(CliCommand app, Invocation& invocation);
void add_waivers(CliCommand app, Invocation& invocation);
void add_diff(CliCommand app, Invocation& invocation);
void add_report(CliCommand app, Invocation& invocation);
void add_selftest(CliCommand app, Invocation& invocation);
void add_fuzz(CliCommand app, Invocation& invocation);
void add_litmus(CliCommand app, Invocation& invocation);
void add_bench(CliCommand app, Invocation& invocation);
void add_compare(CliCommand app, Invocation& invocation);
void add_gate(CliCommand app, Invocation& invocation);
void add_accept(CliCommand app, Invocation& invocation);
void add_convert(CliCommand app, Invocation& invocation);
void add_record(CliCommand app, Invocation& invocation);
void add_replay(CliCommand app, Invocation& invocation);
void add_serve(CliCommand app, Invocation& invocation);
void add_completion(CliCommand app, Invocation& invocation);
void add_doctor(CliCommand app, Invocation& invocation);

}  // namespace assay::cli
