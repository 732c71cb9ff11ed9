// assay litmus: runs litmus programs and compares their outcomes with the permitted ones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/litmus/random.hpp"
#include "harness/litmus/session.hpp"
#include "harness/litmus/text.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct LitmusCommand {
  LitmusSettings settings;
  std::vector<std::string> names;
  Selection selection;
  RandomLitmus random;
  std::string json;
  bool list = false;
};

struct Sums {
  std::int64_t runs = 0;
  std::size_t failed = 0;
  std::size_t lacking = 0;
  std::size_t never_seen = 0;
};

Sums sums_of(const std::vector<report::LitmusEntry>& entries) {
  Sums sums;
  for (const report::LitmusEntry& entry : entries) {
    sums.runs += entry.runs;
    sums.failed += entry.failed() ? 1u : 0u;
    sums.lacking += entry.lacking.empty() ? 0u : 1u;
    if (entry.runs == 0) continue;
    sums.never_seen += static_cast<std::size_t>(std::ranges::count_if(
        entry.seen, [](const report::LitmusSeen& row) { return row.times == 0; }));
  }
  return sums;
}

/// A program that was named must have run.
int exit_code_of(const Sums& sums, bool has_names) {
  if (sums.failed > 0) return kExitFailure;
  if (sums.runs == 0) return kExitNothingRan;
  return has_names && sums.lacking > 0 ? kExitIncomplete : kExitOk;
}

std::string verdict(const report::LitmusRecord& record, double seconds) {
  const Sums sums = sums_of(record.entries);
  std::string line =
      fmt::format("{} {} program{}, {} runs on {}", word_of(record.exit), record.entries.size(),
                  record.entries.size() == 1 ? "" : "s", sums.runs, record.subject);
  if (!record.schedule.empty()) line += " (" + record.schedule + ")";
  line += fmt::format("; forbidden outcomes in {}", sums.failed);
  if (sums.lacking > 0) line += fmt::format(", not run {}", sums.lacking);
  return line +
         fmt::format("; permitted outcomes never seen: {}; {:.1f} s", sums.never_seen, seconds);
}

/// Nothing if the run was interrupted.
std::optional<report::LitmusEntry> unless_interrupted(LitmusSession& session,
                                                      const LitmusTest& test,
                                                      const StopSignal& stop) {
  if (stop.is_set()) return std::nullopt;
  try {
    return session.run(test);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

int run_programs(const LitmusCommand& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<LitmusTest> tests = litmus_tests(options.names, options.settings.gated);
  report::refuse_unwritable(options.json);
  const StopSignal& stop = catch_interrupts();
  LitmusSession session(options.settings);
  report::LitmusRecord record;
  record.subject = options.settings.subject;
  record.contract = to_text(session.info().contract);
  record.schedule = session.schedule();
  const auto finish = [&](report::LitmusRecord& made) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const int code = exit_code_of(sums_of(made.entries), !options.names.empty());
    made.exit = stop.is_set() ? kExitInterrupted : code;
    made.line = verdict(made, seconds.count());
    if (!options.json.empty()) report::write_whole(options.json, to_json(made));
  };
  LatestValue<report::LitmusRecord> kept;
  SaveOnSignal last_resort([&] {
    if (auto so_far = kept.get()) finish(*so_far);
  });
  for (const LitmusTest& test : tests) {
    std::optional<report::LitmusEntry> entry = unless_interrupted(session, test, stop);
    if (!entry) break;
    record.entries.push_back(std::move(*entry));
    kept.put(record);
    print(shown(test, record.entries.back(), has_colours(own_output())));
  }
  last_resort.begin();
  finish(record);
  last_resort.done();
  print(record.line + "\n");
  return record.exit;
}

int litmus(LitmusCommand options) {
  if (options.list) {
    print(litmus_list(false));
    return kExitOk;
  }
  options.settings.contract = wanted_contracts(options.selection).front();
  if (options.random.count == 0) return run_programs(options);
  if (!options.names.empty()) throw UsageError("--random takes no names: its programs are random");
  options.random.seed = options.settings.seed;
  LitmusSession session(options.settings);
  return random_litmus(session, options.random, options.settings.subject);
}

constexpr const char* kFooter =
    "NAME is a row (LT-04; LT-15 for both of its rows), part of a row's name, or a file with a "
    "program of your own in the language of harness/protocol/areas/sim.md:\n"
    "  st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)\n"
    "S is a non-blocking stream, B a blocking one, L the legacy stream, P the thread's default.\n"
    "A forbidden outcome is marked FORBIDDEN, and the exit code is 1. The exit code is 4 if a row "
    "that was named did not run. On a real device, ask for many runs, and for the gated forms as "
    "well: a gate holds work back, so that a missing wait shows in every run.\n"
    "Examples: assay litmus LT-04 -n 1000 --subject ./my_runtime.so\n"
    "          assay litmus --gated --subject \"python3 my_runtime.py\"\n"
    "          assay litmus --random 10000 --seed 1";

}  // namespace

void add_litmus(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "litmus", "Run small programs of streams and events, and check their outcomes");
  command.footer(kFooter);
  auto options = std::make_shared<LitmusCommand>();
  LitmusSettings& settings = options->settings;
  command.add_option("NAME", options->names, "The programs to run (every row)");
  command.add_flag("--list", options->list, "List the rows, one per line");
  command.add_option("--subject", settings.subject, "The subject, as for `assay run` (reference)");
  command.add_option("-n,--runs", settings.runs, "How many times to run each program (100)")
      .check(in_range(1, 100000000));
  command.add_flag("--gated", settings.gated,
                   "Run the gated forms, each of which permits a single outcome");
  command
      .add_option("--schedule", settings.schedule,
                  "Schedule of a simulated machine (random; eager with --gated)")
      .check(one_of({"eager", "lazy", "random"}));
  command.add_option("--seed", settings.seed, "Seed for random schedules and programs (1)");
  command
      .add_option("--random", options->random.count,
                  "Instead of rows: run this many random programs; the axioms and the subject's "
                  "own search (sim.permitted) must permit the same outcomes")
      .check(in_range(1, 1000000000));
  command.add_flag("--run", options->random.run,
                   "With --random: run long programs and check their outcomes by the axioms, "
                   "without the search");
  command.add_option("--json", options->json, "Write the outcomes to this file");
  add_contract(command, options->selection);
  add_subject_options(command, settings.connection);
  command.callback([options, &invocation] { invocation.exit_code = litmus(*options); });
}

}  // namespace assay::cli
