// The program `assay`.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/command_line/unknown_command.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/build_info.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/supervised.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/subjects/companion.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/journal/journal.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

constexpr const char* kFooter =
    "Example: assay run --subject ./my_runtime.so\n"
    "         assay run amp/update_scale\n"
    "         assay run --help\n"
    "\n"
    "Exit codes: 0 success; 1 a conformance failure or a confirmed regression; 2 wrong usage or "
    "configuration; 3 an error of the harness; 4 incomplete: a command of a claimed area was not "
    "answered and nothing excuses that, or a gate is undecided and must not be; 5 nothing ran, or "
    "nothing passed; 6 with --strict-waivers, a waiver has expired, is unused or is not needed; 77 "
    "with --allow-absent, a device is absent and nothing else is wrong; 130 interrupted.";

/// A group of commands with a common purpose.
struct CommandGroup {
  const char* title;
  std::vector<void (*)(CliCommand, Invocation&)> commands;
};

void add_commands(CliCommand app, Invocation& invocation) {
  const CommandGroup errands[] = {
      {"Check a runtime", {add_run, add_next, add_port, add_fuzz, add_litmus, add_slurm}},
      {"Investigate a failure", {add_replay, add_explain, add_list}},
      {"Keep, show and compare runs",
       {add_merge, add_report, add_diff, add_waivers, add_archive, add_history, add_fleet}},
      {"Measure", {add_bench, add_compare, add_gate, add_accept, add_convert}},
      {"Serve and record a runtime", {add_serve, add_record}},
      {"Check this machine and the suites", {add_doctor, add_coverage, add_selftest}},
      {"Complete this command line", {add_completion}}};
  for (const CommandGroup& errand : errands) {
    for (const auto& add : errand.commands) add(app, invocation);
    app.title_subcommands(errand.title);
  }
  add_colour_option(app);
}

/// A name or a subject's text may hold line breaks. Only the first line begins at the left, so that
/// none looks like a verdict.
std::string indented(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    const bool begins_a_line = lines.ends_with('\n');
    if (begins_a_line && c != ' ' && c != '\n') lines += "  ";
    lines += c;
  }
  return lines;
}

/// Counts start four workers a cell under Valgrind, where making the options of all commands takes
/// as long as the rest.
void add_needed_commands(CliCommand app, Invocation& invocation) {
  const auto& words = invocation.argv;
  const bool is_worker = words.size() > 2 && words[1] == "bench" && words[2] == "--worker";
  is_worker ? add_bench(app, invocation) : add_commands(app, invocation);
}

int refuse(std::string_view why) {
  complain(fmt::format("assay: {}\n", indented(why)));
  return kExitUsage;
}

int say_absent(const DeviceAbsent& error) {
  refuse(error.what());
  if (!error.is_allowed()) return kExitUsage;
  print(fmt::format("{}\n", word_of(kExitAbsent)));
  return kExitAbsent;
}

/// Prints the current exception and returns its exit code.
int exit_code_of_exception() {
  try {
    throw;
  } catch (const DeviceAbsent& error) {
    return say_absent(error);
  } catch (const UsageError& error) {
    return refuse(error.what());
  } catch (const SubjectNotStarted& lost) {
    return refuse(fmt::format("cannot start the subject: {}\n{}", lost.what(), lost.last_words()));
  } catch (const SubjectLost& lost) {
    refuse(fmt::format("the subject was given up: {}\n{}", lost.what(), lost.last_words()));
    return kExitInternal;
  } catch (const LinkBroken& broken) {
    refuse(fmt::format("the subject was given up: {}\n{}", broken.what(), broken.last_words()));
    return kExitInternal;
  } catch (const BadReply& bad) {
    return refuse(fmt::format("the subject cannot be used: {}", bad.what()));
  } catch (const JournalRefused& error) {
    return refuse(error.what());
  } catch (const JournalFailed& error) {
    return refuse(error.what());
  } catch (const report::CannotWrite& error) {
    return refuse(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return refuse(fmt::format("cannot use {}: {}", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {  // no thread, no file, no memory more is granted
    return refuse(error.what());
  } catch (const std::bad_alloc&) {
    return refuse("there is not enough memory");
  } catch (const Interrupted&) {
    print(fmt::format("{} before any result\n", word_of(kExitInterrupted)));
    return kExitInterrupted;
  } catch (const std::exception& error) {
    refuse(fmt::format("internal error: {}", error.what()));
    return kExitInternal;
  }
}

int parse_and_run(CommandLine& line, const Invocation& invocation) {
  try {
    refuse_unknown_command(line.root(), invocation.argv);
    if (const auto exit_code = line.parse(invocation.argv)) return *exit_code;
  } catch (...) {
    return exit_code_of_exception();
  }
  return invocation.exit_code;
}

/// True for a pipe that nobody reads any more, as after `assay list | head`.
bool reader_is_gone(std::FILE* stream) {
  pollfd one{fileno(stream), 0, 0};
  return ::poll(&one, 1, 0) > 0 && (one.revents & POLLERR) != 0;
}

/// Output may have been lost: the reader has closed the pipe, or the disk is full.
int exit_code_after_flush(int exit_code) {
  if (std::fflush(own_output()) == 0 && std::ferror(own_output()) == 0) return exit_code;
  if (reader_is_gone(own_output())) return exit_code == kExitOk ? kExitInterrupted : exit_code;
  complain("assay: cannot write to standard output\n");
  return exit_code == kExitOk ? kExitUsage : exit_code;
}

/// `assay 0.2.0 (3f2a1b4c5d6e)`, with a plus sign if the checkout had changes.
std::string version() {
  return fmt::format("assay {} ({}{})", ASSAY_VERSION, report::git_revision(),
                     report::git_dirty() ? "+" : "");
}

int run_program(Invocation invocation) {
  CommandLine line("assay", "Does a mixed-precision runtime behave as PyTorch's does?", version());
  CliCommand root = line.root();
  root.require_subcommand();
  root.footer(kFooter);
  add_needed_commands(root, invocation);
  return exit_code_after_flush(parse_and_run(line, invocation));
}

/// True if a library may run in this process.
bool runs_unisolated(const std::vector<std::string>& argv) {
  return std::ranges::any_of(argv, [](std::string_view word) {
    return word.starts_with("--no-isolate") || word.starts_with("--isolate=");
  });
}

int run_with_guardian(const std::vector<std::string>& argv) {
  const SupervisedResult end = run_supervised([&] { return run_program({argv, kExitOk}); });
  if (!end.loss) return end.exit_code;
  const bool has_records = argv.size() > 1 && argv[1] == "run" && end.loss->where.part > 0;
  if (has_records) return run_program({argv, kExitOk, end.loss});
  complain(
      fmt::format("assay: the process {} while a library ran in it; without --no-isolate only one "
                  "case would be lost\n"
                  "{}\n",
                  end.loss->how, word_of(end.exit_code)));
  return end.exit_code;
}

/// If a standard stream is closed, the next opened file would get its descriptor and receive the
/// output. Opens /dev/null for reading there instead, so that printing fails as it should.
void keep_places_of_closed_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);  // takes the lowest number
  }
}

/// Makes writing beyond the file size limit an ordinary error. A handler is used because, unlike
/// SIG_IGN, child processes do not inherit it.
void survive_the_limit_of_files() {
  signal(SIGXFSZ, [](int) {});
}

int run_main(int argc, char** argv) {
  keep_places_of_closed_streams();
  survive_the_limit_of_files();
  if (argc > 0) set_program_name(argv[0]);
  offer_python_package();
  const std::vector<std::string> words{argv, argv + argc};
  return runs_unisolated(words) ? run_with_guardian(words) : run_program({words, kExitOk});
}

}  // namespace
}  // namespace assay::cli

int main(int argc, char** argv) { return assay::cli::run_main(argc, argv); }
