// Writes the result of a comparison.
#include "harness/cli/compare_output.hpp"

#include <fmt/format.h>

#include "harness/compare/thresholds.hpp"
#include "harness/console/terminal.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

std::string complaint_about_share(const std::string& text) {
  if (compare::share_from_text(text)) return "";
  return fmt::format("'{}' is not a margin; write 2% or 0.02", text);
}

}  // namespace

void add_outputs(CliCommand& command, CompareOutput& output) {
  command.add_option("--json", output.json, "Write all of it to this file, for programs");
  command.add_option("--md", output.markdown, "Write it to this file as Markdown");
  command.add_option("--csv", output.csv, "Write one line per pair to this file (CSV)");
}

void add_share(CliCommand& command, const std::string& name, double& target,
               const std::string& help) {
  command
      .on_option(
          name, [&target](const std::string& text) { target = *compare::share_from_text(text); },
          help)
      .check({complaint_about_share, "SHARE"});
}

void show(const compare::Comparison& comparison, const compare::Outcome& outcome,
          const CompareOutput& output) {
  if (!output.json.empty()) report::write_whole(output.json, to_json(comparison, outcome));
  if (!output.markdown.empty())
    report::write_whole(output.markdown, to_markdown(comparison, outcome));
  if (!output.csv.empty()) report::write_whole(output.csv, to_csv(comparison));
  std::string text = to_text(comparison);
  for (const compare::Outcome::Finding& finding : outcome.findings) {
    text += fmt::format("{}: {}\n", finding.fails ? "fails" : "seen", one_line(finding.text));
  }
  print(text + outcome.line + "\n");
}

}  // namespace assay::cli
