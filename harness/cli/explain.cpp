// assay explain: shows a clause with its text, cases and faults, or the clauses of a case or fault.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

bool names(const std::vector<std::string>& clauses, const std::string& id) {
  return std::find(clauses.begin(), clauses.end(), id) != clauses.end();
}

std::string witness_line(const Clause& clause) {
  std::string line = fmt::format("witness: {}", name_of(clause.witness));
  if (!clause.reason.empty()) line += " (" + clause.reason + ")";
  if (!clause.no_fault.empty()) line += "\nno fault: " + clause.no_fault;
  return line + "\n";
}

std::string text_of(const Clause& clause) {
  std::string text =
      fmt::format("{}  {}\narea {}, {}, compared by {}\n\n{}\n", clause.id, clause.title,
                  clause.area, clause.file, clause.comparator, clause.text);
  if (text.ends_with("\n\n\n")) text.pop_back();
  text += "\n" + witness_line(clause);
  for (const Case& test : all_cases()) {
    if (names(test.clauses, clause.id)) text += "case:  " + test.id + "\n";
  }
  for (const Fault& fault : all_faults()) {
    if (names(fault.clauses, clause.id)) {
      text += fmt::format("fault: {}: {}\n", fault.name, fault.what);
    }
  }
  return text;
}

std::string applicability_of(const Case& test) {
  const Applicability& applies = test.applies;
  std::string text =
      fmt::format("releases {} to {}", name_of(applies.since), name_of(applies.until));
  if (applies.device_rules) text += fmt::format(", {} rules only", name_of(*applies.device_rules));
  if (applies.deviations) text += fmt::format(", {} only", name_of(*applies.deviations));
  if (test.full) text += ", with --full";
  if (test.fresh) text += ", on a fresh subject";
  for (const Property property : test.unless) {
    text += fmt::format("; not judged where {}", in_words(property));
  }
  return text;
}

std::string text_of(const Case& test) {
  std::string text =
      fmt::format("{}\n{}\na case {}\nwritten at {}:{}\n", test.id, applicability_of(test),
                  in_words(reach_of(test)), test.where.file, test.where.line);
  for (const std::string& id : test.clauses) {
    const Clause* clause = find_clause(id);
    text += "\n" + (clause == nullptr ? id + "\n" : clause->text + "\n");
  }
  return text;
}

std::string text_of(const Fault& fault) {
  const std::string subject =
      fault.subject == "reference" ? "" : "--subject " + fault.subject + " ";
  std::string text =
      fmt::format("{}\n{}\nfiled under {} at {}; `assay selftest {}{}` turns it on\n", fault.name,
                  fault.what, fmt::join(fault.clauses, ", "), fault.file, subject, fault.name);
  for (const FaultChange& change : fault.changes) text += "\n" + diff_of(change);
  for (const std::string& id : fault.clauses) {
    const Clause* clause = find_clause(id);
    if (clause != nullptr) text += "\n" + clause->text + "\n";
  }
  return text;
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const Clause& clause : all_clauses()) all.push_back(clause.id);
  for (const Case& test : all_cases()) all.push_back(test.id);
  for (const Fault& fault : all_faults()) all.push_back(fault.name);
  return all;
}

/// Prints the first element with this name, if there is one.
template <typename Named>
bool explains(const std::vector<Named>& all, const std::string& name, std::string Named::*member) {
  const auto found = std::ranges::find(all, name, member);
  if (found == all.end()) return false;
  print(text_of(*found));
  return true;
}

int explain(const std::string& name) {
  if (explains(all_clauses(), name, &Clause::id) || explains(all_cases(), name, &Case::id) ||
      explains(all_faults(), name, &Fault::name)) {
    return kExitOk;
  }
  throw UsageError(fmt::format("no clause, case or fault is called '{}'{}", name,
                               suggestion(name, all_names())));
}

}  // namespace

void add_explain(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("explain", "Show the text behind a clause, a case or a fault");
  command.footer("Example: assay explain AMP-105");
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "Id of a clause or of a case, name of a fault").required();
  add_own_cases_option(command);
  command.callback([name, &invocation] { invocation.exit_code = explain(*name); });
}

}  // namespace assay::cli
