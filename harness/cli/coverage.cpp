// assay coverage: shows which clauses have a witness, and which do not.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/kill_matrix.hpp"
#include "harness/report/table.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct CoverageOptions {
  std::string kills;
  bool json = false;
  bool verbose = false;
};

bool names(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

std::vector<std::string> cases_of(const Clause& clause) {
  std::vector<std::string> ids;
  for (const Case& test : all_cases()) {
    if (names(test.clauses, clause.id)) ids.push_back(test.id);
  }
  return ids;
}

/// The clauses of a planted fault, whatever the matrix says of it.
std::vector<std::string> clauses_of(const std::string& name) {
  for (const char* subject : {"reference", "cuda_on_cpu"}) {
    if (const Fault* fault = find_fault(name, subject)) return fault->clauses;
  }
  return {};
}

/// True if one of the clause's cases has killed a fault of this clause.
bool proven(const Clause& clause, const std::vector<std::string>& cases,
            const report::KillMatrix& kills) {
  return std::any_of(kills.faults.begin(), kills.faults.end(), [&](const auto& row) {
    return row.lost.empty() && names(clauses_of(row.fault), clause.id) &&
           std::any_of(row.killed_by.begin(), row.killed_by.end(),
                       [&](const std::string& killer) { return names(cases, killer); });
  });
}

/// Why the clause has no witness; empty if it has one.
std::string hole_in(const Clause& clause, const std::vector<std::string>& cases,
                    const std::optional<report::KillMatrix>& kills) {
  if (clause.witness != Witness::kWaist) return "";
  if (cases.empty()) return "no case witnesses it";
  if (!kills || !clause.no_fault.empty() || proven(clause, cases, *kills)) return "";
  return "no case of it has killed a fault filed under it";
}

std::optional<report::KillMatrix> kills_in(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const std::string text = read_file(path);
  try {
    return report::kill_matrix_from_json(text);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is not a kill matrix: {}", path, error.what()));
  }
}

struct AreaCount {
  int all = 0, waist = 0, unit = 0, race = 0, none = 0, holes = 0;

  void add(const Clause& clause, bool hole) {
    ++all;
    waist += clause.witness == Witness::kWaist ? 1 : 0;
    unit += clause.witness == Witness::kUnit ? 1 : 0;
    race += clause.witness == Witness::kRace ? 1 : 0;
    none += clause.witness == Witness::kNone ? 1 : 0;
    holes += hole ? 1 : 0;
  }
  std::string row(std::string_view name) const {
    return fmt::format("{:<10} {:>7} {:>7} {:>6} {:>6} {:>6} {:>7}\n", name, all, waist - holes,
                       unit, race, none, holes);
  }
};

struct Coverage {
  std::map<std::string, AreaCount> areas;
  AreaCount total;
  report::Table clauses{{"id", "witness", "cases", "hole", "title"}, {}};
  std::string holes;
};

Coverage survey(const std::optional<report::KillMatrix>& kills) {
  Coverage coverage;
  for (const Clause& clause : all_clauses()) {
    if (!is_offered(clause)) continue;
    const std::vector<std::string> cases = cases_of(clause);
    const std::string hole = hole_in(clause, cases, kills);
    coverage.areas[clause.area].add(clause, !hole.empty());
    coverage.total.add(clause, !hole.empty());
    coverage.clauses.rows.push_back(
        {clause.id, std::string(name_of(clause.witness)), cases, hole, clause.title});
    if (!hole.empty()) {
      coverage.holes += fmt::format("hole: {}  {} ({})\n", clause.id, clause.title, hole);
    }
  }
  return coverage;
}

std::string text_of(const Coverage& coverage) {
  std::string text = fmt::format("{:<10} {:>7} {:>7} {:>6} {:>6} {:>6} {:>7}\n", "area", "clauses",
                                 "cases", "unit", "race", "none", "holes");
  for (const auto& [area, count] : coverage.areas) text += count.row(area);
  return text + coverage.total.row("all") + coverage.holes;
}

int cover(const CoverageOptions& options) {
  const Coverage coverage = survey(kills_in(options.kills));
  const int holes = coverage.total.holes;
  const int code = holes > 0 ? kExitFailure : kExitOk;
  if (options.json) {
    print_data(report::to_json(coverage.clauses));
    return code;
  }
  print(text_of(coverage));
  if (options.verbose) print(report::to_text(coverage.clauses));
  print(fmt::format("{} {} of {} clauses that cases can witness are witnessed{}, {} hole{}\n",
                    word_of(code), coverage.total.waist - holes, coverage.total.waist,
                    options.kills.empty() ? "" : " and have killed a fault", holes,
                    holes == 1 ? "" : "s"));
  return code;
}

}  // namespace

void add_coverage(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("coverage", "Count the clauses that have a witness");
  command.footer("Example: assay selftest --json kills.json; assay coverage --kills kills.json");
  auto options = std::make_shared<CoverageOptions>();
  command.add_option(
      "--kills", options->kills,
      "Kill matrix of `assay selftest --json`: a witness must also have found a fault");
  command.add_flag("--json", options->json, "Every clause with its cases, as JSON");
  command.add_flag("-v,--verbose", options->verbose, "Every clause with its cases");
  command.callback([options, &invocation] { invocation.exit_code = cover(*options); });
}

}  // namespace assay::cli
