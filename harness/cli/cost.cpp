// assay cost: what a call costs in each subject, beside a plain function pointer, in this process.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/libtorch_subject.hpp"
#include "harness/cli/nearest.hpp"
#include "harness/cli/subjects.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/measure/bare_calls.hpp"
#include "harness/measure/sampling.hpp"
#include "harness/report/cost_record.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/hello.hpp"
#include "harness/suite/verdict.hpp"

namespace assay::cli {
namespace {

using measure::Loop;
using measure::Samples;

constexpr const char* kPointer = "pointer";

struct CostCommand {
  std::vector<std::string> names;
  std::vector<std::string> subjects;
  int rounds = 31;
  double batch_ms = 5;
  std::string json;
  bool list = false;
};

struct Runner {
  std::string subject;
  std::unique_ptr<Link> link;
};

std::unique_ptr<Link> connect_to_time(const std::string& subject) {
  const std::string plugin = subject == "libtorch" ? libtorch_plugin() : subject;
  if (subject != "reference" && !is_plugin(plugin)) {
    throw UsageError(fmt::format(
        "cannot time '{}': what is compared runs in one process; there are: reference, libtorch, "
        "the path of a shared library{}",
        subject, suggestion(subject, {"reference", "libtorch"})));
  }
  try {
    return connect_here(plugin);
  } catch (const LinkBroken& broken) {
    throw UsageError(fmt::format("cannot start the subject '{}': {}", subject, broken.what()));
  }
}

/// The function pointer first: it is what the others are compared with.
std::vector<Runner> runners(std::vector<std::string> subjects) {
  if (subjects.empty()) {
    subjects = {"reference"};
    if (has_libtorch_plugin()) {
      subjects.emplace_back("libtorch");
    } else {
      print(
          "libtorch was not built here: CMake found none (Debian has it as libtorch-dev), or "
          "nobody "
          "asked for it (cmake --build build --target assay_libtorch_plugin)\n");
    }
  }
  std::vector<Runner> made;
  made.push_back({kPointer, connect_in_process(measure::make_bare_calls)});
  for (const std::string& subject : subjects) made.push_back({subject, connect_to_time(subject)});
  return made;
}

std::vector<const Loop*> loops_named(const std::vector<std::string>& names) {
  std::vector<const Loop*> loops;
  std::vector<std::string> known;
  for (const Loop& loop : measure::all_loops()) {
    if (names.empty()) loops.push_back(&loop);
    known.emplace_back(loop.name);
  }
  for (const std::string& name : names) {
    loops.push_back(measure::find_loop(name));
    if (loops.back() != nullptr) continue;
    throw UsageError(fmt::format("there is no loop '{}'{}; `assay cost --list` names them", name,
                                 suggestion(name, known)));
  }
  return loops;
}

report::CostRow row_of(const Loop& loop, const Runner& runner, const Samples& samples,
                       const Samples& pointer) {
  report::CostRow row;
  row.loop = loop.name;
  row.subject = runner.subject;
  if (samples.status == Samples::Status::kLacking) row.lacking = samples.reason;
  if (samples.status == Samples::Status::kWrong) row.wrong = samples.reason;
  row.times = samples.times;
  row.ns = samples.ns;
  row.pointer = pointer.ns;
  return row;
}

/// All subjects and the bare call in turns, so that they share what the machine does meanwhile.
void time_loop(const Loop& loop, const std::vector<Runner>& runners,
               const measure::SamplingOptions& options, std::vector<report::CostRow>& rows) {
  std::vector<measure::Contender> contenders{
      {runners.front().link.get(), measure::find_loop("typed_1")}};
  for (const Runner& runner : runners) contenders.push_back({runner.link.get(), &loop});
  const std::vector<Samples> samples = sample(contenders, options);
  if (samples.front().status != Samples::Status::kTimed) {
    throw std::logic_error("the function pointer: " + samples.front().reason);
  }
  for (std::size_t i = 0; i < runners.size(); ++i) {
    rows.push_back(row_of(loop, runners[i], samples[i + 1], samples.front()));
  }
}

report::CostSubject introduced(const Runner& runner) {
  const SubjectInfo info = greet(*runner.link, Contract{});
  return {runner.subject, info.name, info.version, to_text(info.contract)};
}

int exit_code_of(const std::vector<report::CostRow>& rows) {
  const auto wrong = [](const report::CostRow& row) { return !row.wrong.empty(); };
  if (std::ranges::any_of(rows, wrong)) return kExitFailure;
  return std::ranges::any_of(rows, &report::CostRow::is_timed) ? kExitOk : kExitNothingRan;
}

std::string verdict(const report::CostRecord& record, double seconds) {
  const auto count = [&](const auto& of) { return std::ranges::count_if(record.rows, of); };
  std::string line = fmt::format("{} {} of {} loops timed", word_of(record.exit),
                                 count(&report::CostRow::is_timed), record.rows.size());
  const auto wrong = count([](const report::CostRow& row) { return !row.wrong.empty(); });
  if (wrong > 0) line += fmt::format(", {} wrong", wrong);
  return line +
         fmt::format("; {} rounds of {} ms; {:.1f} s", record.rounds, record.batch_ms, seconds);
}

int time_all(const CostCommand& command, const std::vector<std::string>& argv) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<const Loop*> loops = loops_named(command.names);
  const std::vector<Runner> all = runners(command.subjects);
  report::CostRecord record;
  record.argv = argv;
  record.started = report::now_utc();
  record.environment = report::this_environment();
  record.rounds = command.rounds;
  record.batch_ms = command.batch_ms;
  for (const Runner& runner : all) {
    record.subjects.push_back(introduced(runner));
    const report::CostSubject& subject = record.subjects.back();
    print(fmt::format("{}: {} {}, {}\n", subject.subject, subject.name, subject.version,
                      subject.contract));
  }
  const measure::SamplingOptions options{
      command.rounds, std::chrono::nanoseconds(static_cast<std::int64_t>(command.batch_ms * 1e6))};
  Progress progress;
  for (const Loop* loop : loops) {
    progress.show(fmt::format("{}: {}", loop->name, loop->what));
    time_loop(*loop, all, options, record.rows);
  }
  progress.clear();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  record.exit = exit_code_of(record.rows);
  record.line = verdict(record, seconds.count());
  if (!command.json.empty()) report::write_whole(command.json, to_json(record));
  print(to_text(record) + record.line + "\n");
  return record.exit;
}

int list_loops() {
  for (const Loop& loop : measure::all_loops()) {
    print(fmt::format("{:<17} {}\n", loop.name, loop.what));
  }
  return kExitOk;
}

constexpr const char* kFooter =
    "A subject runs each loop (harness/protocol/areas/bench.md) inside itself, by its own clock,\n"
    "and shows by a checksum that it did; a wrong one is no time, and the exit code is 1. `ns` is\n"
    "the median of an iteration, one batch a round; `calls` is how many calls through a function\n"
    "pointer it lasts, timed in the same rounds; beside each stands its 95 % interval within this\n"
    "process. Another process, of the same program, may differ by more.\n"
    "Example: assay cost typed_1 redispatch --subject reference --json cost.json";

}  // namespace

void add_cost(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "cost", "What a call costs, beside a plain function pointer in the same process");
  command.footer(kFooter);
  auto options = std::make_shared<CostCommand>();
  command.add_option("LOOP", options->names, "Which loops (all of them)");
  command.add_flag("--list", options->list, "The loops, one a line");
  command.add_option("--subject", options->subjects,
                     "reference, libtorch or a shared library; may be repeated (reference, and "
                     "libtorch where it was built)");
  command.add_option("--rounds", options->rounds, "Batches of each (31)").check(in_range(1, 1000));
  command.add_option("--batch-ms", options->batch_ms, "How long a batch lasts at least (5)")
      .check(in_range(0.001, 1000.0));
  command.add_option("--json", options->json, "Write all samples to this file");
  command.callback([options, &invocation] {
    invocation.exit_code = options->list ? list_loops() : time_all(*options, invocation.argv);
  });
}

}  // namespace assay::cli
