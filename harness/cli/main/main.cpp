// The program `assay`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "harness/cli/commands.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/unknown_command.hpp"
#include "harness/report/build_info.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/subject/stop_signal.hpp"
#include "harness/suite/hello.hpp"
#include "harness/suite/journal.hpp"
#include "harness/suite/program_name.hpp"
#include "harness/suite/verdict.hpp"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 the verdict is positive; 1 a conformance failure or a confirmed regression;\n"
    "2 wrong usage or configuration; 3 an error of the harness; 4 incomplete: a command of a\n"
    "claimed area was not answered and nothing excuses that, or a gate that fails on it is\n"
    "undecided; 5 nothing ran, or nothing of it passed; 6 a waiver that has expired, is unused or\n"
    "is not needed, under --strict-waivers; 77 a device is absent, under --allow-absent;\n"
    "130 interrupted.";

void add_commands(assay::cli::CliCommand app, assay::cli::Invocation& invocation) {
  using namespace assay::cli;
  add_run(app, invocation);
  add_list(app, invocation);
  add_explain(app, invocation);
  add_coverage(app, invocation);
  add_waivers(app, invocation);
  add_diff(app, invocation);
  add_report(app, invocation);
  add_selftest(app, invocation);
  add_fuzz(app, invocation);
  add_litmus(app, invocation);
  add_bench(app, invocation);
  add_compare(app, invocation);
  add_gate(app, invocation);
  add_record(app, invocation);
  add_replay(app, invocation);
  add_serve(app, invocation);
  add_doctor(app, invocation);
}

int parse_and_run(assay::cli::CommandLine& line, const assay::cli::Invocation& invocation) {
  try {
    assay::cli::refuse_unknown_command(line.root(), invocation.argv);
    if (const auto exit_code = line.parse(invocation.argv)) return *exit_code;
  } catch (const assay::cli::DeviceAbsent& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    if (!error.is_allowed()) return assay::kExitUsage;
    fmt::print("{}\n", assay::word_of(assay::kExitAbsent));
    return assay::kExitAbsent;
  } catch (const assay::cli::UsageError& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::kExitUsage;
  } catch (const assay::SubjectNotStarted& lost) {
    fmt::print(stderr, "assay: cannot start the subject: {}\n{}", lost.what(), lost.last_words());
    return assay::kExitUsage;
  } catch (const assay::SubjectLost& lost) {
    fmt::print(stderr, "assay: the subject was given up: {}\n{}", lost.what(), lost.last_words());
    return assay::kExitInternal;
  } catch (const assay::JournalRefused& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::kExitUsage;
  } catch (const assay::JournalFailed& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::kExitUsage;
  } catch (const assay::report::CannotWrite& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::kExitUsage;
  } catch (const assay::Interrupted&) {
    fmt::print("{} before there was anything to report\n", assay::word_of(assay::kExitInterrupted));
    return assay::kExitInterrupted;
  } catch (const std::exception& error) {
    fmt::print(stderr, "assay: internal error: {}\n", error.what());
    return assay::kExitInternal;
  }
  return invocation.exit_code;
}

/// What was printed may not have arrived: the disk is full, or nobody listens.
int unless_unwritten(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  fmt::print(stderr, "assay: cannot write to standard output\n");
  return exit_code == assay::kExitOk ? assay::kExitUsage : exit_code;
}

/// `assay 0.1.0 (3f2a1b4c5d6e)`, with a plus sign where the checkout had changes.
std::string version() {
  return fmt::format("assay {} ({}{})", ASSAY_VERSION, assay::report::git_revision(),
                     assay::report::git_dirty() ? "+" : "");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace assay::cli;
  if (argc > 0) assay::set_program_name(argv[0]);
  CommandLine line("assay", "Does a mixed-precision runtime behave as PyTorch's does?", version());
  CliCommand root = line.root();
  root.require_subcommand();
  root.footer(kExitCodes);
  Invocation invocation{{argv, argv + argc}, assay::kExitOk};
  add_commands(root, invocation);
  return unless_unwritten(parse_and_run(line, invocation));
}
