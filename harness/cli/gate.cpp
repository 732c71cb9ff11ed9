// assay gate: checks a candidate's costs against a baseline, with a file of thresholds.
#include "harness/compare/gate.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/compare_output.hpp"
#include "harness/compare/columns/columns.hpp"
#include "harness/compare/expectations.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct GateCommand {
  std::string record;               ///< a record of both builds; alternatively
  std::string baseline, candidate;  ///< a record of each
  std::string thresholds;
  std::string expect;  ///< replaces baseline and thresholds
  bool across_machines = false;
  CompareOutput output;
};

compare::BenchColumns columns_of(const GateCommand& command) {
  const bool has_files = !command.baseline.empty() || !command.candidate.empty();
  if (command.record.empty() == !has_files) {
    throw UsageError("name --baseline and --candidate, or one RECORD of `assay bench --against`");
  }
  if (!command.record.empty()) return compare::columns_by_key(command.record, "build");
  if (command.baseline.empty() || command.candidate.empty()) {
    throw UsageError(command.baseline.empty() ? "--baseline is missing" : "--candidate is missing");
  }
  return compare::columns_by_file({command.baseline, command.candidate});
}

/// The two sides and the thresholds.
struct Sides {
  compare::BenchColumns columns;
  compare::Thresholds thresholds;
};

/// Nothing if the file has no expectations for this build, so that no verdict is possible.
std::optional<Sides> expected_and_counted(const GateCommand& command) {
  const compare::Expectations expectations =
      compare::expectations_from_toml(read_file(command.expect), command.expect);
  if (command.candidate.empty()) throw UsageError("--candidate is missing");
  auto record = compare::read_bench(command.candidate);
  const compare::ExpectedBuild* build = compare::build_for(expectations, *record);
  if (build == nullptr) return std::nullopt;
  Sides sides{{}, compare::thresholds_of(expectations)};
  auto& [records, columns] = sides.columns;
  records.push_back(std::make_unique<report::BenchRecord>(compare::baseline_of(*build, *record)));
  records.push_back(std::move(record));
  columns = {{"expected", command.expect, records.front().get(), "", ""},
             {"counted", command.candidate, records.back().get(), "", ""}};
  return sides;
}

std::optional<Sides> sides_of(const GateCommand& command) {
  if (!command.expect.empty()) return expected_and_counted(command);
  if (command.thresholds.empty()) throw UsageError("a gate needs --thresholds, or --expect");
  const auto thresholds =
      compare::thresholds_from_toml(read_file(command.thresholds), command.thresholds);
  return Sides{columns_of(command), thresholds};
}

int nothing_expected(const GateCommand& command) {
  print(
      fmt::format("NOTHING COMPARED {} has no counts for the build of {} (counts depend on the "
                  "compiler); `assay accept` adds them\n",
                  command.expect, command.candidate));
  return kExitNothingRan;
}

int judge(const GateCommand& command, const Sides& sides, const std::vector<std::string>& argv) {
  compare::Options options = compare::options_of(sides.thresholds);
  options.across_machines = command.across_machines;
  const compare::Comparison found = compare::compare(sides.columns.columns, options);
  compare::refuse_weak(found, sides.thresholds);
  compare::Outcome outcome;
  outcome.argv = argv;
  outcome.is_gate = true;
  outcome.findings = compare::findings_of(found, sides.thresholds);
  outcome.exit_code = compare::exit_code_of(found, outcome.findings);
  outcome.line = compare::line_of(found, outcome.exit_code, true);
  show(found, outcome, command.output);
  return outcome.exit_code;
}

int run(const GateCommand& command, const std::vector<std::string>& argv) {
  try {
    const std::optional<Sides> sides = sides_of(command);
    return sides ? judge(command, *sides, argv) : nothing_expected(command);
  } catch (const compare::Invalid& error) {
    throw UsageError(error.what());
  }
}

constexpr const char* kFooter =
    "The thresholds (TOML) state what counts and what fails:\n"
    "  schema = 1\n"
    "  margin = \"2 %\"                       # smaller differences do not matter\n"
    "  fail_on = [\"regression\"]             # also: win, changed, undecided, new\n"
    "  allow_missing = [\"event/*\"]          # what the candidate may lack; anything else fails\n"
    "  [[case]]                             # repeatable; the last one that matches applies\n"
    "  name = \"dispatch/*\"                  # a pattern; quantity = \"host.*\" may narrow it\n"
    "  margin = \"5 %\"\n"
    "exact_margin (0) and alpha (0.05) are optional.\n"
    "Exit codes: 0 nothing fails; 1 something fails, is missing or could not be measured; 2 the "
    "records or the thresholds allow no verdict: fewer than 7 processes, a quick or interrupted "
    "run, a margin below the noise floor, other machines or builds, an unknown key; 4 something is "
    "undecided and `fail_on` lists that; 5 nothing was compared.\n"
    "With --expect, every count must equal the count accepted for such a build (compiler, type, "
    "flags), within the margin of that file. Counts that fell, are missing or are new fail as "
    "well, until `assay accept` takes them. The exit code is 5 if the file has no counts for the "
    "build.\n"
    "Two builds are compared best if they are measured together, under the same noise:\n"
    "Example: assay bench --against ../main/build/bin/assay -o both.json\n"
    "         assay gate both.json --thresholds gate.toml\n"
    "Example: assay gate --baseline main.json --candidate branch.json --thresholds gate.toml";

}  // namespace

void add_gate(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "gate", "Fail if costs have risen above a baseline by more than a file of thresholds allows");
  command.footer(kFooter);
  auto options = std::make_shared<GateCommand>();
  const Option record =
      command.add_option("RECORD", options->record,
                         "A record of `assay bench --against`; the other build is the baseline");
  const Option baseline = command.add_option("--baseline", options->baseline,
                                             "The record of `assay bench -o` to compare with");
  command.add_option("--candidate", options->candidate, "The record of the change");
  const Option thresholds =
      command.add_option("--thresholds", options->thresholds, "The file of thresholds");
  command
      .add_option("--expect", options->expect,
                  "Instead of a baseline and thresholds: the counts that `assay accept` wrote")
      .excludes(record)
      .excludes(baseline)
      .excludes(thresholds);
  command.add_flag("--across-machines", options->across_machines,
                   "Compare records of different machines");
  add_outputs(command, options->output);
  command.callback(
      [options, &invocation] { invocation.exit_code = run(*options, invocation.argv); });
}

}  // namespace assay::cli
