// assay selftest: checks that the suites detect every fault.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/selftest/chosen_faults.hpp"
#include "harness/selftest/kill.hpp"
#include "harness/selftest/reached_functions.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct SelftestOptions {
  std::vector<std::string> faults;
  KillOptions kill;
  std::string json;
  /// Mechanical mutants: their rows, and which cases reach which function (scripts/power).
  std::string rows;
  std::string reach;
  std::string record;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool verbose = false;
};

std::string line_of(const report::FaultRow& row) {
  if (!row.is_killed() && !row.lost.empty()) {
    return fmt::format("given up  {}: {}\n", row.fault, row.lost);
  }
  if (row.survived()) return fmt::format("survived  {} ({} cases)\n", row.fault, row.ran);
  return fmt::format("killed    {} by {} of {} cases, {} first\n", row.fault, row.killed_by.size(),
                     row.ran, row.killed_by.front());
}

/// A pool of workers that process one fault after the other.
class SelftestWorkers {
 public:
  SelftestWorkers(const SelftestOptions& options, std::vector<const Fault*> faults)
      : options_(options),
        faults_(std::move(faults)),
        rows_(faults_.size()),
        baseline_(options.kill) {}

  report::KillMatrix work() {
    // A recording was made of all cases without a fault, and lists those that passed.
    if (options_.kill.reach == nullptr) {
      baseline_.run_all(static_cast<int>(options_.jobs), [this](std::size_t count) {
        progress_.show(fmt::format("without a fault: {} cases", count));
      });
    }
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < options_.jobs; ++i) workers.emplace_back([this] { take_faults(); });
    workers.clear();
    progress_.clear();
    if (failure_) std::rethrow_exception(failure_);
    return so_far();
  }

  /// Thread-safe.
  report::KillMatrix so_far() {
    const std::scoped_lock lock(mutex_);
    report::KillMatrix matrix;
    matrix.whole = options_.kill.whole;
    std::ranges::copy_if(rows_, std::back_inserter(matrix.faults),
                         [](const report::FaultRow& row) { return !row.fault.empty(); });
    return matrix;
  }

 private:
  void take_faults() {
    for (std::size_t i = next_++; i < faults_.size(); i = next_++) {
      if (options_.kill.stop->is_set()) return;
      try {
        report::FaultRow row = kill(*faults_[i], options_.kill, baseline_);
        // An unfinished row would look like a surviving mutant.
        if (options_.kill.stop->is_set() && !row.is_killed()) return;
        finish(i, std::move(row));
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        failure_ = std::current_exception();
        next_ = faults_.size();
      }
    }
  }

  void finish(std::size_t index, report::FaultRow row) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    progress_.clear();
    if (options_.verbose) print(line_of(row));
    progress_.show(fmt::format("[{}/{}] {}", done_, faults_.size(), row.fault));
    rows_[index] = std::move(row);
  }

  const SelftestOptions& options_;
  std::vector<const Fault*> faults_;
  std::vector<report::FaultRow> rows_;
  Baseline baseline_;
  std::mutex mutex_;
  Progress progress_;
  std::atomic<std::size_t> next_{0};
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

bool killed_at_home(const report::FaultRow& row) {
  return std::any_of(all_cases().begin(), all_cases().end(), [&](const Case& test) {
    const bool killer =
        std::find(row.killed_by.begin(), row.killed_by.end(), test.id) != row.killed_by.end();
    return killer && std::any_of(test.clauses.begin(), test.clauses.end(), [&](const auto& clause) {
             return std::find(row.clauses.begin(), row.clauses.end(), clause) != row.clauses.end();
           });
  });
}

std::string findings(const report::KillMatrix& matrix, const std::string& subject) {
  std::string text;
  for (const report::FaultRow& row : matrix.faults) {
    if (!row.is_killed() && !row.lost.empty()) {
      text += fmt::format("given up: {} ({}): its mutant has no result; {}\n", row.fault,
                          fmt::join(row.clauses, ", "), row.lost);
    } else if (row.survived()) {
      text +=
          fmt::format("survived: {} ({}; {} cases tried)\n  {}\n", row.fault,
                      fmt::join(row.clauses, ", "), row.ran, find_fault(row.fault, subject)->what);
    } else if (!killed_at_home(row)) {
      text += fmt::format(
          "misfiled: {} is filed under {}, but only cases of other clauses kill it, "
          "such as {}\n",
          row.fault, fmt::join(row.clauses, ", "), row.killed_by.front());
    }
  }
  return text;
}

int exit_code_of(const report::KillMatrix& matrix, const StopSignal& stop) {
  if (stop.is_set()) return kExitInterrupted;
  const bool all_killed = std::all_of(matrix.faults.begin(), matrix.faults.end(),
                                      [](const auto& row) { return row.is_killed(); });
  return all_killed ? kExitOk : kExitFailure;
}

/// Records what the cases reach, for a later run on the same program.
int record(const SelftestOptions& options) {
  report::refuse_unwritable(options.record);
  const std::string lines = record_reach(options.kill, options.jobs);
  if (options.kill.stop->is_set()) return kExitInterrupted;
  report::write_whole(options.record, lines);
  print(fmt::format("recorded {} passing cases\n", std::ranges::count(lines, '\n')));
  return kExitOk;
}

/// The project's own faults, or the rows of mechanical mutants, which `kept` keeps.
std::vector<const Fault*> faults_to_kill(const SelftestOptions& options, std::vector<Fault>& kept) {
  if (options.rows.empty()) return chosen_faults(options.faults, options.kill.mutants_of);
  kept = mutant_rows_from(read_file(options.rows));
  std::vector<const Fault*> faults;
  for (Fault& row : kept) {
    row.subject = options.kill.mutants_of;
    faults.push_back(&row);
  }
  return faults;
}

void write(const SelftestOptions& options, const report::KillMatrix& matrix) {
  if (!options.json.empty()) report::write_whole(options.json, report::to_json(matrix));
}

int selftest(SelftestOptions options) {
  const StopSignal& stop = catch_interrupts();
  options.kill.stop = &stop;
  std::vector<Fault> rows;
  std::vector<const Fault*> faults = faults_to_kill(options, rows);
  if (faults.empty()) {
    print("NOTHING RAN no fault was selected\n");
    return kExitNothingRan;
  }
  refuse_unmatched_filters(options.kill.selection);
  complain(describe_unmatched_patterns(options.kill.selection));
  if (!chooses_any(options.kill.selection)) {
    print("NOTHING RAN no case was selected\n");
    return kExitNothingRan;
  }
  if (!options.record.empty()) return record(options);
  std::optional<ReachedFunctions> reach;
  if (!options.reach.empty())
    options.kill.reach = &reach.emplace(ReachedFunctions::from_file(options.reach));
  report::refuse_unwritable(options.json);
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t planned = faults.size();
  SelftestWorkers workshop(options, std::move(faults));
  SaveOnSignal last_resort([&] { write(options, workshop.so_far()); });
  const report::KillMatrix matrix = workshop.work();
  last_resort.begin();
  const auto killed = std::count_if(matrix.faults.begin(), matrix.faults.end(),
                                    [](const auto& row) { return row.is_killed(); });
  std::size_t runs = 0;
  for (const report::FaultRow& row : matrix.faults) runs += row.ran;
  const int code = exit_code_of(matrix, stop);
  if (options.rows.empty()) print(findings(matrix, options.kill.mutants_of));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  print(fmt::format("{} {} of {} faults killed in {} runs of cases; {:.1f} s\n", word_of(code),
                    killed, planned, runs, seconds.count()));
  write(options, matrix);
  last_resort.done();
  return code;
}

}  // namespace

void add_selftest(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("selftest", "Check that the cases find every planted fault");
  command.footer("Example: assay selftest --json kills.json");
  auto options = std::make_shared<SelftestOptions>();
  options->kill.subject.timeout = std::chrono::seconds(10);
  command.add_option("faults", options->faults, "Globs on names or clauses of faults (all)");
  command.add_option("--subject", options->kill.mutants_of, "The subject whose faults are planted")
      .check(one_of({"reference", "cuda_on_cpu"}));
  command.add_flag("--all", options->kill.whole,
                   "Run every case on every fault, for the whole matrix");
  command.add_flag("--perturb", options->kill.perturbed,
                   "Send the programs of the cases again with changes, as run --perturb does");
  command.add_option("--program", options->kill.subject.mutants,
                     "The program of the mutants, instead of the one beside this program");
  command.add_option(
      "--rows", options->rows,
      "Mechanical mutants instead of the planted faults, as scripts/power makes them");
  command.add_option("--record", options->record,
                     "Only record to this file which functions of the program each case reaches");
  command.add_option("--reach", options->reach,
                     "Run only the cases that reach a mutant's function, of such a recording");
  command.add_option("-j,--jobs", options->jobs, "Run this many mutants in parallel (one per core)")
      .check(in_range(1, 1024));
  command.add_option("--json", options->json, "Write the kill matrix to this file");
  command.add_flag("-v,--verbose", options->verbose, "A line for every fault");
  add_selection(command, options->kill.selection);
  command.callback([options, &invocation] { invocation.exit_code = selftest(*options); });
}

}  // namespace assay::cli
