// Every case: its outcome under each contract, its clauses, its source position.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// One column per contract; if too many, one per subject; if still too many, a single one.
constexpr std::size_t kMostColumns = 16;

struct Column {
  const SubjectRun* run;
  std::string contract;  ///< empty: all of them
  std::string head;
};

struct Result {
  const report::CaseRecord* worst = nullptr;
  std::size_t all = 0, spoiled = 0;
};

struct CaseRow {
  const report::CaseRecord* test;
  std::vector<Result> results;  ///< one per column
};

std::vector<Column> columns_of(const std::vector<SubjectRun>& runs) {
  std::vector<Column> columns;
  for (const SubjectRun& run : runs) {
    const std::string prefix = runs.size() > 1 ? run.label + " " : "";
    for (const auto& [contract, tally] : run.contracts)
      columns.push_back({&run, contract, prefix + contract});
  }
  if (columns.size() <= kMostColumns) return columns;
  columns.clear();
  for (const SubjectRun& run : runs) columns.push_back({&run, "", run.label});
  return columns;
}

using Rows = std::map<std::string, std::map<std::string, CaseRow>>;

void add_results(Rows& areas, const std::vector<Column>& columns, std::size_t place) {
  const Column& column = columns[place];
  for (const report::CaseRecord& test : column.run->subject->cases) {
    if (!column.contract.empty() && test.contract != column.contract) continue;
    CaseRow& row =
        areas[std::string(area_of(test))].try_emplace(test.id, CaseRow{&test, {}}).first->second;
    row.results.resize(columns.size());
    Result& result = row.results[place];
    const bool spoils = report::spoils(test);
    ++result.all;
    if (spoils) ++result.spoiled;
    if (result.worst == nullptr || (spoils && !report::spoils(*result.worst))) result.worst = &test;
  }
}

/// Short, and shortest for the most frequent outcome, because there are tens of thousands.
Cell result_cell(const Result& result) {
  if (result.worst == nullptr) return {};
  if (result.worst->outcome == "pass") return {Markup("✓"), {}};
  Markup content = outcome_symbol(result.worst->outcome, report::spoils(*result.worst));
  if (result.spoiled > 0 && result.all > 1)
    content += fmt::format(" {} of {}", result.spoiled, result.all);
  return {content, {}};
}

/// `✓ 27; ✗ on gpu1, gpu2; – on gpu3`: subjects by outcome; those that pass are only counted.
Cell summary_cell(const std::vector<Result>& results, const std::vector<Column>& columns) {
  std::map<std::string_view, std::vector<std::string>> others;
  std::size_t passed = 0, all = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const report::CaseRecord* worst = results[i].worst;
    if (worst == nullptr) continue;
    ++all;
    const bool spoils = report::spoils(*worst);
    if (worst->outcome == "pass" && !spoils) {
      ++passed;
    } else {
      others[spoils ? "fail" : std::string_view(worst->outcome)].push_back(columns[i].head);
    }
  }
  Markup content = passed > 0 ? Markup(fmt::format("✓ {}", passed)) : Markup();
  for (const auto& [outcome, names] : others) {
    if (!content.empty()) content += "; ";
    content += outcome_symbol(outcome, outcome == "fail") +
               (names.size() == all ? fmt::format(" all {}", all)
                                    : fmt::format(" on {}", fmt::join(names, ", ")));
  }
  return {content, {}};
}

Markup clause_links(const report::CaseRecord& test) {
  Markup links;
  for (const std::string& id : test.clauses) {
    if (!links.empty()) links += " ";
    links += link_to(anchor_of_clause(id), id);
  }
  return links;
}

Markup area_list(const std::string& area, const std::map<std::string, CaseRow>& rows,
                 const std::vector<Column>& columns) {
  Table table{fmt::format("Cases of {}", area), {"Case", "Clauses"}, {}, true};
  const bool is_summary = columns.size() > kMostColumns;
  if (is_summary) table.columns.emplace_back("Result");
  for (const Column& column : columns) {
    if (!is_summary) table.columns.push_back(column.head);
  }
  table.columns.emplace_back("Written in");
  bool spoiled = false;
  for (const auto& [id, row] : rows) {
    TableRow line{{{breakable(id), {}}, {clause_links(*row.test), {}}}, anchor_of_case(id)};
    if (is_summary) line.cells.push_back(summary_cell(row.results, columns));
    for (const Result& result : row.results) {
      if (!is_summary) line.cells.push_back(result_cell(result));
      spoiled = spoiled || result.spoiled > 0;
    }
    line.cells.push_back({breakable(fmt::format("{}:{}", row.test->file, row.test->line)), {}});
    table.rows.push_back(std::move(line));
  }
  const Markup head =
      element("b", area) + " " + counted(rows.size(), "case") +
      (spoiled ? Markup(", ") + element("span", {{"class", "bad"}}, "✗ with failures") : Markup());
  return foldable(head, to_markup(table), anchor_of_area(area), rows.size() <= 60);
}

}  // namespace

Section cases_section(const PageData& page_data) {
  const std::vector<Column> columns = columns_of(page_data.runs);
  Rows areas;
  for (std::size_t i = 0; i < columns.size(); ++i) add_results(areas, columns, i);
  Markup content;
  std::size_t cases = 0;
  for (const auto& [area, rows] : areas) {
    content += area_list(area, rows, columns);
    cases += rows.size();
  }
  if (cases > 0) {
    content = element("p",
                      "✓ pass, ✗ failure, crash, timeout or unannounced unsupported, ◇ waived, "
                      "– unsupported, ≈ flaky; an empty cell: not for that contract.") +
              content;
  }
  return {"cases", "Cases", std::to_string(cases), content};
}

}  // namespace assay::page
