// assay compare: shows which costs differ between records, by how much, and with what confidence.
#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/compare_output.hpp"
#include "harness/compare/columns/columns.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/normalize.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct CompareCommand {
  std::vector<std::string> files;
  std::string columns = "file";
  std::vector<std::string> values;
  std::string unit = "ns";
  compare::Options options;
  CompareOutput output;
};

bool is_place(const std::string& key) { return key == "machine" || key == "device"; }

compare::BenchColumns columns_for(const CompareCommand& command) {
  if (!command.values.empty() && (command.columns == "file" || is_place(command.columns))) {
    throw UsageError("--value needs --col subject, build, an axis, ...");
  }
  if (command.columns == "file") return compare::columns_by_file(command.files);
  if (is_place(command.columns)) return compare::columns_by_place(command.files, command.columns);
  if (command.files.size() != 1) {
    const std::string& first = command.files.front();
    compare::refuse_unknown_key(command.columns, *compare::read_bench(first), first);
    throw UsageError(
        fmt::format("--col {} compares sides of one record, measured together", command.columns));
  }
  return compare::columns_by_key(command.files.front(), command.columns, command.values);
}

int run(const CompareCommand& command, const std::vector<std::string>& argv) {
  const compare::BenchColumns sides = columns_for(command);
  for (const auto& record : sides.records) {
    if (command.unit == "null_calls") *record = compare::in_null_calls(*record);
    if (command.unit == "null_launches") *record = compare::in_null_launches(*record);
    if (command.unit == "cycles") *record = compare::in_cycles(*record);
    if (command.unit == "roof") *record = compare::in_shares_of_roof(*record);
  }
  compare::Options options = command.options;
  if (is_place(command.columns)) options.across_machines = true;
  try {
    const compare::Comparison found = compare::compare(sides.columns, options);
    compare::Outcome outcome;
    outcome.argv = argv;
    outcome.exit_code = found.compared() == 0 ? kExitNothingRan : kExitOk;
    outcome.line = compare::line_of(found, outcome.exit_code, false);
    show(found, outcome, command.output);
    return outcome.exit_code;
  } catch (const compare::Invalid& error) {
    throw UsageError(error.what());
  }
}

constexpr const char* kFooter =
    "The first record is the baseline. Rows are paired by case, axes, quantity and subject; "
    "subjects by their names on the command line, then by the names in their hello. A ratio is the "
    "Hodges-Lehmann estimate over the medians of the processes, with its 95 % interval; sides of "
    "one record are compared round by round, as pairs. Verdicts:\n"
    "  faster, slower  a confirmed difference (Mann-Whitney test, Holm's correction over all "
    "rows)\n"
    "                  that lies beyond the margin\n"
    "  same            the ratio is shown to lie inside the margin\n"
    "  changed         a confirmed difference, but it may lie inside the margin\n"
    "  undecided       anything else, with about how many more processes would decide it\n"
    "Exact counts are compared without statistics and are `fewer` or `more`. The exit code is 0 "
    "for all verdicts; `assay gate` is the command that fails.\n"
    "Example: assay compare before.json after.json --margin 3% --md compare.md\n"
    "         assay compare ladder.json --col subject --value libtorch --value reference\n"
    "         assay compare both.json --col build    # of assay bench --against";

}  // namespace

void add_compare(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("compare", "Show which costs differ between records of `assay bench`");
  command.footer(kFooter);
  auto options = std::make_shared<CompareCommand>();
  command
      .add_option("RECORD", options->files,
                  "Records of `assay bench -o`; the first is the baseline")
      .required();
  command.add_option("--col", options->columns,
                     "What to compare (file). Of several records: file, machine or device. Of one "
                     "record: subject, build, via, contract, or an axis");
  command.add_option("--value", options->values,
                     "Only these values of --col; the first is the baseline (repeatable)");
  command
      .add_option(
          "--in", options->unit,
          "Unit, converted process by process (ns): ns; null_calls (calls through a function "
          "pointer, to compare machines of different speeds); null_launches (launch/kernel); "
          "cycles (of the GPU's clock); roof (share of the memory bandwidth, where the largest "
          "device/copy is 1)")
      .check(one_of({"ns", "null_calls", "null_launches", "cycles", "roof"}));
  command.add_option(
      "--filter", options->options.filters,
      "Only rows whose name matches this pattern, such as `dispatch/*` (repeatable)");
  add_share(command, "--margin", options->options.margin,
            "Smaller differences do not matter: ratios from 1/1.02 to 1.02 (2%)");
  add_share(command, "--exact-margin", options->options.exact_margin,
            "The same for exact counts (0%)");
  command
      .add_option("--alpha", options->options.alpha,
                  "Probability of calling equal costs different (0.05)")
      .check(in_range(0.0001, 0.49));
  command.add_flag("--across-machines", options->options.across_machines,
                   "Compare records of different machines");
  add_outputs(command, options->output);
  command.callback(
      [options, &invocation] { invocation.exit_code = run(*options, invocation.argv); });
}

}  // namespace assay::cli
