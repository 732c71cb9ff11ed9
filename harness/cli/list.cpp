// assay list: lists cases, clauses, subjects, faults and transcripts.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/recorded/transcripts.hpp"
#include "harness/report/table.hpp"
#include "harness/run/callers.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

using report::Cell;
using report::Table;

struct ListOptions {
  std::string what = "cases";
  Selection selection;
  std::string command;
  bool json = false;
};

/// Filters and excludes match the first column and the ids of clauses.
bool chosen(const Selection& selection, const std::string& id,
            const std::vector<std::string>& clauses, Reach reach = Reach::kTraining) {
  Case like;
  like.id = id;
  like.reach = reach;
  like.clauses = clauses;
  return selection.selects(like);
}

/// True if the case applies to one of the requested contracts.
bool holds(const Selection& selection, const Case& test) {
  const std::vector<Contract> contracts = wanted_contracts(selection);
  return std::any_of(contracts.begin(), contracts.end(),
                     [&](const Contract& contract) { return test.applies.admits(contract); });
}

Table cases(const Selection& selection) {
  Table table{{"id", "clauses", "full", "fresh", "reach"}, {}};
  for (const Case& test : all_cases()) {
    const Reach reach = reach_of(test);
    if (!holds(selection, test) || !chosen(selection, test.id, test.clauses, reach)) continue;
    table.rows.push_back(
        {test.id, test.clauses, test.full, test.fresh, std::string(name_of(reach))});
  }
  return table;
}

Table callers(const std::string& command, const Selection& selection) {
  Table table{{"id", "clauses", "calls"}, {}};
  const std::map<std::string, std::int64_t> callers = callers_of(command, selection);
  for (const Case& test : all_cases()) {
    const auto found = callers.find(test.id);
    if (found != callers.end()) table.rows.push_back({test.id, test.clauses, found->second});
  }
  return table;
}

Table clauses(const Selection& selection) {
  Table table{{"id", "area", "witness", "reach", "title"}, {}};
  for (const Clause& clause : all_clauses()) {
    if (!is_offered(clause) || !chosen(selection, clause.id, {}, clause.reach)) continue;
    table.rows.push_back({clause.id, clause.area, std::string(name_of(clause.witness)),
                          std::string(name_of(clause.reach)), clause.title});
  }
  return table;
}

std::vector<std::string> diffs_of(const Fault& fault) {
  std::vector<std::string> diffs;
  for (const FaultChange& change : fault.changes) diffs.push_back(diff_of(change));
  return diffs;
}

Table faults(const Selection& selection) {
  Table table{{"name", "clauses", "what", "changes"}, {}};
  for (const Fault& fault : all_faults()) {
    if (!chosen(selection, fault.name, fault.clauses)) continue;
    table.rows.push_back({fault.name, fault.clauses, fault.what, diffs_of(fault)});
  }
  return table;
}

/// Lists each fault with its changes to the sources.
std::string faults_as_text(Table table) {
  table.columns.pop_back();
  std::vector<std::vector<std::string>> diffs;
  for (std::vector<Cell>& row : table.rows) {
    diffs.push_back(std::get<std::vector<std::string>>(row.back()));
    row.pop_back();
  }
  std::istringstream lines(report::to_text(table));
  std::string text;
  std::string line;
  for (const std::vector<std::string>& changes : diffs) {
    std::getline(lines, line);
    text += line + "\n";
    for (const std::string& diff : changes) {
      std::istringstream diff_lines(diff);
      while (std::getline(diff_lines, line)) text += "    " + line + "\n";
    }
  }
  return text;
}

Table subjects(const Selection& selection) {
  Table table{{"name", "what"}, {}};
  for (const auto& [name, what] : known_subjects()) {
    if (chosen(selection, name, {})) table.rows.push_back({name, what});
  }
  return table;
}

Table transcripts(const Selection& selection) {
  Table table{{"name", "version", "date", "cases"}, {}};
  for (const RecordingSet& set : recordings_in_program()) {
    for (const std::string& name : set.files) {
      if (!chosen(selection, name, {})) continue;
      const Transcript transcript = read_transcript(name);
      table.rows.push_back({name, transcript.header.version, transcript.header.date,
                            std::to_string(transcript.entries.size())});
    }
  }
  return table;
}

Table table_of(const ListOptions& options) {
  if (options.what == "clauses") return clauses(options.selection);
  if (options.what == "faults") return faults(options.selection);
  if (options.what == "subjects") return subjects(options.selection);
  if (options.what == "transcripts") return transcripts(options.selection);
  if (!options.command.empty()) return callers(options.command, options.selection);
  return cases(options.selection);
}

int list(const ListOptions& options) {
  if (!options.command.empty() && options.what != "cases") {
    throw UsageError("--command applies to cases only");
  }
  const Table table = table_of(options);
  if (options.json) {
    print_data(report::to_json(table));
  } else {
    print(options.what == "faults" ? faults_as_text(table) : report::to_text(table));
  }
  if (!table.rows.empty()) return kExitOk;
  complain(fmt::format("assay: none of the {} matches\n", options.what));
  if (options.what == "cases") complain(describe_unmatched_patterns(options.selection));
  return kExitNothingRan;
}

}  // namespace

void add_list(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("list", "List cases, clauses, subjects, faults or transcripts");
  command.footer("Example: assay list faults --filter AMP-205 --json");
  auto options = std::make_shared<ListOptions>();
  command
      .add_option("what", options->what, "cases (default), clauses, subjects, faults, transcripts")
      .check(one_of({"cases", "clauses", "subjects", "faults", "transcripts"}));
  command.add_option("--filter", options->selection.filters, "List only what matches this glob")
      .check({complaint_about_pattern, ""});
  command.add_option("--exclude", options->selection.excludes, "Leave out what matches this glob")
      .check({complaint_about_pattern, ""});
  command.add_option(
      "--command", options->command,
      "Only cases that send this command of the protocol (a glob), with the number of times. "
      "Runs the cases on the reference, which takes some seconds");
  add_profile(command, options->selection);
  add_contract(command, options->selection);
  add_own_cases_option(command);
  command.add_flag("--json", options->json, "As JSON");
  command.callback([options, &invocation] { invocation.exit_code = list(*options); });
}

}  // namespace assay::cli
